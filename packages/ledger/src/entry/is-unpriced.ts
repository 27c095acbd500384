import type { LedgerEntry } from './ledger-entry.ts';

/** Whether an entry's cost is unknown. The cost of a request that created a task is in the task's own entry. */
export function isUnpriced({ type, taskId, costNanos }: LedgerEntry): boolean {
  const isTaskCreation = type === 'request' && taskId !== undefined;
  return costNanos === undefined && !isTaskCreation;
}
