export const NANOS_PER_USD = 1e9;

/** Converts US dollars to whole nano-dollars. */
export function toNanos(usd: number): number {
  return Math.round(usd * NANOS_PER_USD);
}
