/**
 * Makes a value of JSON kind unchangeable, all the way down, and gives it back. Whoever tries to change it gets a
 * TypeError: one attempt can leave no trace for the next.
 */
export function deepFrozen<T>(value: T): T {
  // A stack of its own: a client may nest deeper than the call stack goes.
  const open: unknown[] = [value];
  while (open.length > 0) {
    const current = open.pop();
    // Buffers and the like cannot be frozen.
    if (typeof current !== 'object' || current === null || ArrayBuffer.isView(current)) continue;
    Object.freeze(current);
    for (const inner of Object.values(current)) if (typeof inner === 'object') open.push(inner);
  }
  return value;
}
