import { configJsonSchema } from '@sluice/config';

/**
 * `sluice schema`: prints the JSON Schema of `sluice.yaml` for completion in editors.
 * @returns the exit code
 */
export function schemaCommand(process: NodeJS.Process): Promise<number> {
  const text = `${JSON.stringify(configJsonSchema(), undefined, 2)}\n`;
  // A pipe accepts the text in chunks; the process may end after the last one.
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve(0));
  });
}
