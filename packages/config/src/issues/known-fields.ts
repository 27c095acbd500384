import { z } from 'zod';
import type { FieldPath } from './config-error.ts';
import { ConfigSchema } from '../schema/schema.ts';

type Shape = z.core.JSONSchema._JSONSchema | z.core.JSONSchema._JSONSchema[] | undefined;

/** Lists a section's fields; empty if the section accepts any name. @param read returns the parsed value at a path */
export function knownFields(path: FieldPath, read: (path: FieldPath) => unknown = () => undefined): string[] {
  let shape: Shape = z.toJSONSchema(ConfigSchema, { io: 'input' });
  for (const [index, step] of path.entries()) {
    if (shape === undefined || typeof shape === 'boolean' || Array.isArray(shape)) return [];
    shape = typeof step === 'number' ? shape.items : (shape.properties?.[step] ?? shape.additionalProperties);
    shape = ofType(shape, read([...path.slice(0, index + 1), 'type']));
  }
  if (shape === undefined || typeof shape === 'boolean' || Array.isArray(shape)) return [];
  return Object.keys(shape.properties ?? {});
}

/** Selects the alternative of a section whose fields depend on its `type`. */
function ofType(shape: Shape, type: unknown): Shape {
  if (shape === undefined || typeof shape === 'boolean' || Array.isArray(shape) || !shape.oneOf) return shape;
  return shape.oneOf.find((one) => {
    const field = typeof one === 'boolean' ? undefined : one.properties?.['type'];
    return typeof field === 'object' && field.const === type;
  });
}
