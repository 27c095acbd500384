/** Freezes a JSON-like value at every depth, so that code which changes it throws. */
export function deepFrozen<T>(value: T): T {
  // Uses an explicit stack, because client JSON can be nested deeper than the call stack allows.
  const open: unknown[] = [value];
  while (open.length > 0) {
    const current = open.pop();
    // Buffers cannot be frozen.
    if (typeof current !== 'object' || current === null || ArrayBuffer.isView(current)) continue;
    Object.freeze(current);
    for (const inner of Object.values(current)) if (typeof inner === 'object') open.push(inner);
  }
  return value;
}
