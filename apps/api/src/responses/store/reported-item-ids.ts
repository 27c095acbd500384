/** @param json may be decoded as one character per byte */
export function reportedItemIds(json: string): string[] {
  let response: unknown;
  try {
    response = JSON.parse(json);
  } catch {
    return [];
  }
  if (typeof response !== 'object' || response === null) return [];
  return ['output', 'data'].flatMap((name) => {
    const items: unknown = Reflect.get(response, name);
    return Array.isArray(items) ? items.flatMap(idOf) : [];
  });
}

function idOf(item: unknown): string[] {
  if (typeof item !== 'object' || item === null || !('id' in item)) return [];
  return typeof item.id === 'string' && item.id !== '' ? [item.id] : [];
}
