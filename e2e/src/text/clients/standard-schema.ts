import type { Schema } from '../text-client.ts';

/** A schema in the shape that validators share, for `openai`'s parse helpers: what fits is the object itself. */
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
