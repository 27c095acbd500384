export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Applies a patch as defined in RFC 7396. The patch's fields replace those of the target, null removes a field, objects
 * are merged, and lists are replaced.
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
