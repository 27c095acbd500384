/** Money is counted in whole nano-dollars. */
export const NANOS_PER_USD = 1e9;

/** US dollars in whole nano-dollars. */
export function toNanos(usd: number): number {
  return Math.round(usd * NANOS_PER_USD);
}
