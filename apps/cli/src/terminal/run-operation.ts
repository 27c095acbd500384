import { paintError } from './paint.ts';
import { printText } from './print-text.ts';

/** The result of an operation, as text and as JSON. */
export interface OperationResult {
  json: unknown;
  text: string;
  /** A warning about a likely mistake, printed to standard error. */
  warning?: string;
}

/** A command with subcommands (e.g. `sluice keys`). */
export interface OperationGroup<Arguments extends { json: boolean }> {
  /** Printed for `--help` and if the subcommand is missing. */
  usage: string;
  /** @throws UsageError */
  parse: (argv: readonly string[]) => Arguments;
  /** @throws GatewayError or UnreachableError */
  perform: (args: Arguments) => Promise<OperationResult>;
}

/**
 * Runs a subcommand and prints its result.
 * @returns the exit code
 * @throws UsageError for incorrect usage
 * @throws GatewayError or UnreachableError if the operation fails
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
