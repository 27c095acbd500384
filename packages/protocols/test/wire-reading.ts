export type Fields = Record<string, unknown>;

/** @throws Error for a non-object */
export function recordOf(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields; // checked above
  throw new Error(`not an object: ${JSON.stringify(value)}`);
}

/** The list; empty if absent. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
