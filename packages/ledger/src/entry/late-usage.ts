import type { LedgerEntry } from './ledger-entry.ts';

/** Whether the entry, of an earlier version, has only usage of a request that has an entry of its own. */
export function isLateUsage({ id }: Pick<LedgerEntry, 'id'>): boolean {
  return id.startsWith('late_');
}
