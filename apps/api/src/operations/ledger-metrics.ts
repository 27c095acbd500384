import type { LedgerStats } from '@sluice/ledger';
import type { MetricFamily } from '@sluice/telemetry';
import { counter, gauge } from './families.ts';

export function ledgerMetrics({ waiting, oldestAgeMs, stored, dropped, unreadable }: LedgerStats): MetricFamily[] {
  return [
    gauge('sluice_ledger_entries_waiting', 'Ledger entries that no worker has stored yet.', waiting),
    gauge('sluice_ledger_oldest_entry_age_seconds', 'Age of the oldest waiting ledger entry.', oldestAgeMs / 1_000),
    counter('sluice_ledger_entries_stored_total', 'Ledger entries that workers have stored.', stored),
    counter('sluice_ledger_entries_lost_total', 'Ledger entries that were lost, by reason.', [
      { labels: { reason: 'stream_full' }, value: dropped },
      { labels: { reason: 'unreadable' }, value: unreadable },
    ]),
  ];
}
