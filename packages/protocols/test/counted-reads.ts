/** Creates a list that repeats one item and counts how often its elements are read. */
export function countedReads(item: unknown, length: number): { list: unknown[]; reads: () => number } {
  let reads = 0;
  const target: unknown[] = [];
  target.length = length;
  const list = new Proxy(target, {
    get: (_target, key) => {
      if (typeof key !== 'string' || !/^\d+$/.test(key)) return Reflect.get(target, key);
      reads += 1;
      return item;
    },
  });
  return { list, reads: () => reads };
}
