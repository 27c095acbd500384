/** Empty if there is no such text field. */
export function textIn(body: unknown, field: string): string {
  if (typeof body !== 'object' || body === null) return '';
  const value: unknown = new Map<string, unknown>(Object.entries(body)).get(field);
  return typeof value === 'string' ? value : '';
}
