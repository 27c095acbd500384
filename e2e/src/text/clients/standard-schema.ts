import type { Schema } from '../text-client.ts';

/** Converts a schema to the Standard Schema interface, which `openai`'s parse helpers require. */
export function standardSchema(schema: Schema) {
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'sluice-tests',
      validate: (value: unknown) => {
        const missing = schema.required.filter((name) => !(name in (value as object))); // parsed from JSON of an object
        return missing.length === 0
          ? { value }
          : { issues: missing.map((name) => ({ message: `${name} is missing` })) };
      },
      jsonSchema: { input: () => schema },
    },
  };
}
