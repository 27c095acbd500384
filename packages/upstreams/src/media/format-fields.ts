/** Deepest nesting that is spelled. */
const MAX_DEPTH = 5;

/**
 * Spells a value as text fields of a form, a nested one as the published SDKs do (openai-node `uploads`): `key[sub]` for
 * objects, `key[]` for lists. What has no spelling is left out.
 */
export function formatFields(name: string, value: unknown, depth = 0): [name: string, value: string][] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value === 'number' || typeof value === 'boolean') return [[name, String(value)]];
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => formatFields(`${name}[]`, item, depth + 1));
  return Object.entries(value).flatMap(([key, item]) => formatFields(`${name}[${key}]`, item, depth + 1));
}
