import { parseArgs } from 'node:util';
import { UsageError } from '../terminal/usage-error.ts';

/** Arguments of `sluice prices`. */
export interface PricesArguments {
  operation: 'list' | 'check';
  model?: string | undefined;
  json: boolean;
  help: boolean;
}

const OPTIONS = {
  model: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** @throws UsageError */
export function parsePricesArguments(args: readonly string[]): PricesArguments {
  const { values, positionals } = parse(args);
  const [operation = 'list', ...rest] = positionals;
  if (operation !== 'list' && operation !== 'check')
    throw new UsageError(`Unknown command \`sluice prices ${operation}\`.`);
  if (rest.length > 0) throw new UsageError(`\`sluice prices ${operation}\` accepts no further argument.`);
  if (operation === 'check' && values.model !== undefined) {
    throw new UsageError('`sluice prices check` does not accept --model.');
  }
  if (values.model?.trim() === '') throw new UsageError('Set --model to the id of a model.');
  return { operation, model: values.model, json: values.json === true, help: values.help === true };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
