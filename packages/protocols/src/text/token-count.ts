import type { Usage } from '@sluice/canonical';

/** Rejects negative and unsafe numbers, which would corrupt budgets and sums. */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

/** Removes unknown values, so that they do not overwrite known values. */
export function knownCounts(counts: Partial<Usage>): Partial<Usage> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}
