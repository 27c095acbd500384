/** The text that a field of a body holds, even when the rest is wrong; empty when there is none. */
export function textIn(body: unknown, field: string): string {
  if (typeof body !== 'object' || body === null) return '';
  const value: unknown = new Map<string, unknown>(Object.entries(body)).get(field);
  return typeof value === 'string' ? value : '';
}
