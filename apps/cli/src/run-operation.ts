import { GatewayError } from '@sluice/canonical';
import { UnreachableError } from './find-redis.ts';
import { printText } from './print-text.ts';
import { UsageError } from './usage-error.ts';

/** What is shown, to people and to programs. */
export interface Shown {
  json: unknown;
  text: string;
  /** What was done but may not be meant; told beside the text, to people and programs alike. */
  warning?: string;
}

/** A command with operations of its own, such as `sluice keys`. */
export interface OperationGroup<Asked extends { json: boolean }> {
  /** Its name, such as `keys`. */
  name: string;
  /** Printed when nothing is asked for, or help. */
  usage: string;
  /** @throws UsageError */
  parse: (args: readonly string[]) => Asked;
  /** @throws GatewayError, UnreachableError for what cannot be done */
  perform: (asked: Asked) => Promise<Shown>;
}

/**
 * Runs what stands behind the command's name, and prints what came of it.
 * @returns the exit code: 2 for a wrong use, 1 for what cannot be done
 */
export async function runOperation<Asked extends { json: boolean }>(
  process: NodeJS.Process,
  { name, usage, parse, perform }: OperationGroup<Asked>,
): Promise<number> {
  const args = process.argv.slice(3);
  if (args.length === 0 || ['help', '--help', '-h'].includes(args[0] ?? '')) return printText(process, usage);
  try {
    const asked = parse(args);
    const { json, text, warning } = await perform(asked);
    if (warning !== undefined) process.stderr.write(`! ${warning}\n`);
    return await printText(process, asked.json ? `${JSON.stringify(json, undefined, 2)}\n` : `${text}\n`);
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`✗ ${error.message}\n  \`sluice ${name} --help\` tells more.\n`);
      return 2;
    }
    if (!(error instanceof GatewayError || error instanceof UnreachableError)) throw error;
    process.stderr.write(`✗ ${error.message}\n`);
    return 1;
  }
}
