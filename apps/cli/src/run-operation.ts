import { paintError } from './paint.ts';
import { printText } from './print-text.ts';

/** The result of an operation, for people and for programs. */
export interface OperationResult {
  json: unknown;
  text: string;
  /** A probable mistake, printed to standard error. */
  warning?: string;
}

/** A command with subcommands, such as `sluice keys`. */
export interface OperationGroup<Arguments extends { json: boolean }> {
  /** Printed without a subcommand, and for `--help`. */
  usage: string;
  /** @throws UsageError */
  parse: (argv: readonly string[]) => Arguments;
  /** @throws GatewayError or UnreachableError */
  perform: (args: Arguments) => Promise<OperationResult>;
}

/**
 * Runs a subcommand and prints its result.
 * @returns the exit code
 * @throws UsageError for incorrect usage; GatewayError or UnreachableError for a failed operation
 */
export async function runOperation<Arguments extends { json: boolean }>(
  process: NodeJS.Process,
  { usage, parse, perform }: OperationGroup<Arguments>,
): Promise<number> {
  const argv = process.argv.slice(3);
  if (argv.length === 0 || ['help', '--help', '-h'].includes(argv[0] ?? '')) return printText(process, usage);
  const args = parse(argv);
  const { json, text, warning } = await perform(args);
  if (warning !== undefined) process.stderr.write(`${paintError('yellow', '!')} ${warning}\n`);
  return printText(process, args.json ? `${JSON.stringify(json, undefined, 2)}\n` : `${text}\n`);
}
