import type { ReactElement } from 'react';
import type { Batch } from '../../api/batches.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { formatCost } from '../../lib/format.ts';
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

/** The maximum cost, as the validation calculated it. */
export function estimateOf({ estimated_cost_usd: usd, request_counts: { total } }: Batch): string {
  if (usd !== null) return `up to ${formatCost(usd)}`;
  return total === 0 ? '–' : 'unpriced';
}
