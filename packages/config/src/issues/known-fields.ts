import { z } from 'zod';
import type { FieldPath } from './config-error.ts';
import { ConfigSchema } from '../schema/schema.ts';

type Shape = z.core.JSONSchema._JSONSchema | z.core.JSONSchema._JSONSchema[] | undefined;

/** Lists a section's fields; empty if the section accepts any name. */
export function knownFields(path: FieldPath): string[] {
  let shape: Shape = z.toJSONSchema(ConfigSchema, { io: 'input' });
  for (const step of path) {
    if (shape === undefined || typeof shape === 'boolean' || Array.isArray(shape)) return [];
    shape = typeof step === 'number' ? shape.items : (shape.properties?.[step] ?? shape.additionalProperties);
  }
  if (shape === undefined || typeof shape === 'boolean' || Array.isArray(shape)) return [];
  return Object.keys(shape.properties ?? {});
}
