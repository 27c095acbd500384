const MAX_DEPTH = 5;

/**
 * Encodes a value as text form fields. Nested values are encoded as in the published SDKs (openai-node `uploads`):
 * `key[sub]` for objects and `key[]` for lists. Values that cannot be encoded are omitted.
 */
export function formatFields(name: string, value: unknown, depth = 0): [name: string, value: string][] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value === 'number' || typeof value === 'boolean') return [[name, String(value)]];
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => formatFields(`${name}[]`, item, depth + 1));
  return Object.entries(value).flatMap(([key, item]) => formatFields(`${name}[${key}]`, item, depth + 1));
}
