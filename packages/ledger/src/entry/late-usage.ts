import type { LedgerEntry } from './ledger-entry.ts';

const PREFIX = 'late_';

/** Returns the id of the entry for usage that a vendor reports after the entry of its request was written. */
export function lateUsageId(responseId: string): string {
  return `${PREFIX}${responseId}`;
}

/** Whether the entry has only usage of a request that has an entry of its own. */
export function isLateUsage({ id }: Pick<LedgerEntry, 'id'>): boolean {
  return id.startsWith(PREFIX);
}
