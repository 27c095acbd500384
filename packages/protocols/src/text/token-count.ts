/**
 * A count of tokens as an upstream tells it, or undefined for anything that cannot be one: what is less than nothing, or
 * more than numbers count exactly, would be taken off a budget or break its sum.
 */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}
