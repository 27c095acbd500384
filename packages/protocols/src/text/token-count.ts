/** A valid token count, otherwise undefined. Negative or unsafe numbers would corrupt budgets and sums. */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}
