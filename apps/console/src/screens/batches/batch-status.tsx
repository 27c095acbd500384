import type { ReactElement } from 'react';
import type { Batch } from '../../api/batches.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { formatCost, formatKnownCost } from '../../lib/format.ts';
import { BATCH_TEXTS } from './batch-filters.ts';

const TONES: Readonly<Record<Batch['status'], Tone>> = {
  validating: 'neutral',
  in_progress: 'accent',
  finalizing: 'accent',
  cancelling: 'warn',
  completed: 'ok',
  failed: 'bad',
  expired: 'warn',
  cancelled: 'neutral',
};

export function isEndedBatch({ status }: Pick<Batch, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'expired' || status === 'cancelled';
}

export function BatchStatus({ status, paused }: Pick<Batch, 'status' | 'paused'>): ReactElement {
  if (paused) return <Badge tone="warn">Paused</Badge>;
  return <Badge tone={TONES[status]}>{BATCH_TEXTS[status]}</Badge>;
}

/** Says who sends the requests. Before the validation has succeeded, it is not known. */
export function runnerOf({ upstream, request_counts: { total } }: Batch): string {
  if (upstream !== null) return `as a batch of ${upstream}`;
  return total === 0 ? '–' : 'line by line';
}

/** The cost so far, and the maximum of all requests while the batch runs. Images and videos have a cost each. */
export function batchCost(batch: Batch): string {
  const { cost_usd: usd, unpriced = false, estimated_cost_usd: estimate, request_counts: counts } = batch;
  if (counts.total === 0) return '–';
  const maximum = estimate === null ? undefined : `up to ${formatCost(estimate)}`;
  if (usd === null) return maximum ?? 'unpriced';
  const known = formatKnownCost(usd, unpriced);
  if (isEndedBatch(batch)) return known;
  if (maximum === undefined) return 'unpriced';
  return usd === 0 ? maximum : `${known} of ${maximum}`;
}
