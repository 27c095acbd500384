import { z } from 'zod';
import { ConfigSchema } from './schema.ts';

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Accepts text with a `${NAME}` reference. Sluice checks the expanded value when it reads the file. */
const REFERENCE = { type: 'string', pattern: String.raw`\$\{` } as const;
const BOUNDS = ['type', 'enum', 'format', 'pattern', 'minimum', 'maximum', 'minLength'] as const;

/** Returns the JSON Schema of `sluice.yaml` for editors. Numbers, booleans, and some strings may be references. */
export function configJsonSchema(): JsonSchema {
  return z.toJSONSchema(ConfigSchema, {
    io: 'input',
    override: ({ jsonSchema: field, path }) => {
      const bound = field.enum ?? field.format ?? field.pattern ?? ((field.minLength ?? 0) > 1 || undefined);
      const plainText = field.type === 'string' && bound === undefined;
      const scalar = field.type === 'string' || field.type === 'integer' || field.type === 'boolean';
      if (!scalar || plainText || path.includes('propertyNames')) return;
      const literal: Record<string, unknown> = {};
      for (const name of BOUNDS) {
        if (field[name] !== undefined) literal[name] = field[name];
        delete field[name];
      }
      field.anyOf = [literal, REFERENCE];
    },
  });
}
