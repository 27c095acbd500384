import type { BatchStats } from '@sluice/batches';
import type { MetricFamily } from '@sluice/telemetry';
import { counter, gauge } from './families.ts';

const ENDS = ['completed', 'failed', 'expired', 'cancelled'] as const;

export function batchMetrics({ open, waiting, ended }: BatchStats): MetricFamily[] {
  return [
    gauge('sluice_batches_open', 'Batches that have not ended.', open),
    gauge('sluice_batch_lines_waiting', 'Lines of batches that have no result yet.', waiting),
    counter(
      'sluice_batch_ends_total',
      'Batches that have ended, by status.',
      ENDS.map((status) => ({ labels: { status }, value: ended[status] ?? 0 })),
    ),
  ];
}
