import type { ReactElement } from 'react';
import type { Batch } from '../../api/batches.ts';
import { EndedProgress } from '../../components/progress-bar.tsx';

/** How many requests of a batch have succeeded and failed. */
export function BatchProgress({ counts }: { counts: Batch['request_counts'] }): ReactElement {
  const { total, completed, failed } = counts;
  return total === 0 ? <>–</> : <EndedProgress plural="requests" completed={completed} failed={failed} total={total} />;
}
