/** A page of one shard. `next` is the position up to which the shard has searched; absent if it has no more. */
export interface ShardPage<T, P> {
  items: readonly T[];
  next?: P | undefined;
}

/**
 * Merges pages of several shards. Items behind the position that any shard has reached are left for the next page,
 * because that shard may have earlier ones.
 * @param compare the order of the list
 */
export function mergePages<T, P>(
  pages: readonly ShardPage<T, P>[],
  { positionOf, compare, limit }: { positionOf: (item: T) => P; compare: (one: P, other: P) => number; limit: number },
): { items: T[]; next?: P } {
  const reached = pages.flatMap(({ next }) => (next === undefined ? [] : [next])).toSorted(compare)[0];
  const known = pages
    .flatMap(({ items }) => items)
    .map((item) => ({ item, position: positionOf(item) }))
    .filter(({ position }) => reached === undefined || compare(position, reached) <= 0)
    .toSorted((one, other) => compare(one.position, other.position));
  const shown = known.slice(0, limit);
  const items = shown.map(({ item }) => item);
  const next = known.length > limit ? shown.at(-1)?.position : reached;
  return { items, ...(next !== undefined && { next }) };
}
