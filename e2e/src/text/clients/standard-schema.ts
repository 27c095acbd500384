import type { Schema } from './text-client.ts';

/** Adapts a JSON Schema to the Standard Schema interface, which the parse helpers of `openai` require. */
export function standardSchema(schema: Schema) {
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'sluice-tests',
      validate: (value: unknown) => {
        // The cast is safe because the value was parsed from a JSON object.
        const missing = schema.required.filter((name) => !(name in (value as object)));
        return missing.length === 0
          ? { value }
          : { issues: missing.map((name) => ({ message: `${name} is missing` })) };
      },
      jsonSchema: { input: () => schema },
    },
  };
}
