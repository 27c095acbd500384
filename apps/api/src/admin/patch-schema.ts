import { z } from 'zod';

/**
 * What may be sent to change an object (RFC 7396): any of its fields, at any depth; null takes one away. What comes out of
 * the change is checked against the object's own schema.
 */
export function patchSchema(schema: z.ZodObject): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, patched(field)])),
  );
}

function patched(field: z.core.$ZodType): z.ZodType {
  const inner = unwrapped(field);
  const change = inner instanceof z.ZodObject ? patchSchema(inner) : z.clone(inner);
  const { description } = z.globalRegistry.get(field) ?? z.globalRegistry.get(inner) ?? {};
  const optional = z.optional(z.nullable(change));
  return description === undefined ? optional : optional.describe(description);
}

/** A field that is left out stays as it is: no default may speak for it. */
function unwrapped(field: z.core.$ZodType): z.core.$ZodType {
  return field instanceof z.ZodDefault || field instanceof z.ZodOptional ? unwrapped(field.unwrap()) : field;
}
