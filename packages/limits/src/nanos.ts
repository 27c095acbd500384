export const NANOS_PER_USD = 1e9;

export function toNanos(usd: number): number {
  return Math.round(usd * NANOS_PER_USD);
}
