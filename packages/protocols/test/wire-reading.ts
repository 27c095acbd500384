/** An object of JSON. */
export type Fields = Record<string, unknown>;

/** @throws Error when it is no object */
export function recordOf(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields; // just checked
  throw new Error(`not an object: ${JSON.stringify(value)}`);
}

/** A list; empty when it is not there. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
