import { z } from 'zod';

/**
 * The schema of a merge patch (RFC 7396). At any depth, each field is optional and null removes it. The caller then
 * validates the patched object against its own schema.
 */
export function patchSchema(schema: z.ZodObject): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, patched(field)])),
  );
}

function patched(field: z.core.$ZodType): z.ZodType {
  const inner = unwrapped(field);
  const change = changeOf(inner);
  const { description } = z.globalRegistry.get(field) ?? z.globalRegistry.get(inner) ?? {};
  const optional = z.optional(z.nullable(change));
  return description === undefined ? optional : optional.describe(description);
}

function changeOf(inner: z.core.$ZodType): z.core.$ZodType {
  if (inner instanceof z.ZodObject) return patchSchema(inner);
  // The patched object is checked again, so the number of entries does not matter here.
  if (inner instanceof z.ZodRecord) return z.record(inner.keyType, z.nullable(inner.valueType));
  return z.clone(inner);
}

/** Removes the default so that an omitted field stays unchanged. */
function unwrapped(field: z.core.$ZodType): z.core.$ZodType {
  return field instanceof z.ZodDefault || field instanceof z.ZodOptional ? unwrapped(field.unwrap()) : field;
}
