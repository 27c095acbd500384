/** Limits the calls that repeat failed ones, so that an outage does not multiply the load of the other upstreams. */
export interface RetryBudget {
  /** A request of the model calls its first upstream. */
  earn(model: string): void;
  /** Spends one retry. @returns whether the budget allows it */
  spend(model: string): boolean;
}

/** The size of a full budget. Fewer failures than this in a row are always retried. */
const FULL = 100;

/**
 * Creates a budget per model. It is full at first. Each request adds a part of a retry, and each retry takes one.
 * @param percent returns the retries that 100 requests add
 */
export function createRetryBudget(percent: () => number): RetryBudget {
  // The configuration limits the number of models.
  const budgets = new Map<string, number>();
  return {
    earn(model) {
      const left = budgets.get(model);
      // A full budget needs no entry.
      if (left !== undefined) budgets.set(model, Math.min(FULL, left + percent() / 100));
    },
    spend(model) {
      const left = budgets.get(model) ?? FULL;
      if (left < 1) return false;
      budgets.set(model, left - 1);
      return true;
    },
  };
}
