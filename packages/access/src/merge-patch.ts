/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Changes an object as RFC 7396 says: a field of the patch replaces the one of its name, null takes it away, and objects
 * are merged field by field; lists are replaced as a whole.
 */
export function mergePatch(target: JsonObject, patch: JsonObject): Record<string, unknown> {
  const merged = new Map(Object.entries(target));
  for (const [field, value] of Object.entries(patch)) {
    const before = merged.get(field);
    if (value === null) merged.delete(field);
    else merged.set(field, isObject(value) ? mergePatch(isObject(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
