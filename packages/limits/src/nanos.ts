export const NANOS_PER_USD = 1e9;

export function toNanos(usd: number): number {
  return Math.round(usd * NANOS_PER_USD);
}

/** Formats an amount with at least two decimals, and more if needed. */
export function formatUsd(nanos: number): string {
  const amount = (nanos / NANOS_PER_USD).toFixed(9).replace(/0{1,7}$/, '');
  return `$${amount}`;
}
