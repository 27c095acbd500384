export type Fields = Record<string, unknown>;

/** @throws Error if the value is not an object */
export function recordOf(value: unknown): Fields {
  // The cast is safe because the value was checked above.
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new Error(`not an object: ${JSON.stringify(value)}`);
}

/** Returns the list, or an empty list if the value is undefined. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
