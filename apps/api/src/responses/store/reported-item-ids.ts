/** @param json may have one character for each byte */
export function reportedItemIds(json: string): string[] {
  let told: unknown;
  try {
    told = JSON.parse(json);
  } catch {
    return [];
  }
  if (typeof told !== 'object' || told === null) return [];
  return ['output', 'data'].flatMap((name) => {
    const items: unknown = Reflect.get(told, name);
    return Array.isArray(items) ? items.flatMap(idOf) : [];
  });
}

function idOf(item: unknown): string[] {
  if (typeof item !== 'object' || item === null || !('id' in item)) return [];
  return typeof item.id === 'string' && item.id !== '' ? [item.id] : [];
}
