import { configJsonSchema } from '@sluice/config';
import { parseOptions } from './terminal/parse-options.ts';
import { printText } from './terminal/print-text.ts';

/**
 * `sluice schema`: prints the JSON Schema of `sluice.yaml` for completion in editors.
 * @returns the exit code
 * @throws UsageError
 */
export function schemaCommand(process: NodeJS.Process): Promise<number> {
  const { help } = parseOptions(process.argv.slice(3), { help: { type: 'boolean', short: 'h' } });
  if (help === true) {
    return printText(process, 'Usage: sluice schema\n\nPrints the JSON Schema of sluice.yaml, for editors.\n');
  }
  return printText(process, `${JSON.stringify(configJsonSchema(), undefined, 2)}\n`);
}
