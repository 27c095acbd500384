const NANOS = 1_000_000_000;

/** Converts nano-dollars to dollars. JSON shows the exact amount, with at most nine decimals, up to 8 million dollars. */
export function dollarsOf(nanos: number): number {
  return nanos / NANOS;
}

/** Formats nano-dollars as dollars without an exponent (e.g. `0.00000125`). */
export function dollarsText(nanos: number): string {
  const [whole, fraction] = [Math.floor(nanos / NANOS), nanos % NANOS];
  const decimals = String(fraction).padStart(9, '0').replace(/0+$/, '');
  return decimals === '' ? String(whole) : `${whole}.${decimals}`;
}
