export const NANOS_PER_USD = 1e9;

export function toNanos(usd: number): number {
  return Math.round(usd * NANOS_PER_USD);
}

/** The largest number that the limits can count. */
const MAX = 9e15;

/** A reported number, or 0 if it is invalid, so that no count lowers a cost. */
export function safeCount(reported: number | undefined): number {
  return reported !== undefined && reported > 0 ? Math.min(reported, MAX) : 0;
}
