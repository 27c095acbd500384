import type { ReactElement } from 'react';
import type { Batch } from '../../api/batches.ts';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { formatCount } from '../../lib/format.ts';

/** How many requests of a batch have succeeded and failed. */
export function BatchProgress({ counts }: { counts: Batch['request_counts'] }): ReactElement {
  const { total, completed, failed } = counts;
  if (total === 0) return <>–</>;
  const text = `${formatCount(completed + failed)} of ${formatCount(total)}`;
  return (
    <span className="flex min-w-28 flex-col gap-1">
      <span>
        {text}
        {failed > 0 && <span className="text-bad">, {formatCount(failed)} failed</span>}
      </span>
      <ProgressBar label={`${text} requests have ended`} done={completed} failed={failed} total={total} />
    </span>
  );
}
