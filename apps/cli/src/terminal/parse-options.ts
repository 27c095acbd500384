import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { UsageError } from './usage-error.ts';

/**
 * Parses the options of a command without subcommands or positional arguments.
 * @throws UsageError
 */
export function parseOptions(args: readonly string[], options: ParseArgsOptionsConfig): Record<string, unknown> {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    // Node appends advice about positional arguments, which these commands do not accept.
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new UsageError(message.endsWith('.') ? message : `${message}.`, { cause: error });
  }
}
