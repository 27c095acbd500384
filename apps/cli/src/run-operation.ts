import { GatewayError } from '@sluice/canonical';
import { UnreachableError } from './find-redis.ts';
import { printText } from './print-text.ts';
import { UsageError } from './usage-error.ts';

/** The result of an operation, for people and for programs. */
export interface OperationResult {
  json: unknown;
  text: string;
  /** A probable mistake, printed to standard error. */
  warning?: string;
}

/** A command with subcommands, such as `sluice keys`. */
export interface OperationGroup<Arguments extends { json: boolean }> {
  name: string;
  /** Printed without a subcommand, and for `--help`. */
  usage: string;
  /** @throws UsageError */
  parse: (argv: readonly string[]) => Arguments;
  /** @throws GatewayError or UnreachableError */
  perform: (args: Arguments) => Promise<OperationResult>;
}

/**
 * Runs a subcommand and prints its result.
 * @returns the exit code: 2 for incorrect usage, 1 for a failed operation
 */
export async function runOperation<Arguments extends { json: boolean }>(
  process: NodeJS.Process,
  { name, usage, parse, perform }: OperationGroup<Arguments>,
): Promise<number> {
  const argv = process.argv.slice(3);
  if (argv.length === 0 || ['help', '--help', '-h'].includes(argv[0] ?? '')) return printText(process, usage);
  try {
    const args = parse(argv);
    const { json, text, warning } = await perform(args);
    if (warning !== undefined) process.stderr.write(`! ${warning}\n`);
    return await printText(process, args.json ? `${JSON.stringify(json, undefined, 2)}\n` : `${text}\n`);
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`✗ ${error.message}\n  Run \`sluice ${name} --help\` for usage.\n`);
      return 2;
    }
    if (!(error instanceof GatewayError || error instanceof UnreachableError)) throw error;
    process.stderr.write(`✗ ${error.message}\n`);
    return 1;
  }
}
