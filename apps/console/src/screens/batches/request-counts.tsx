import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Batch } from '../../api/batches.ts';
import { useSession } from '../../app/use-session.ts';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { Section } from '../../components/page-head.tsx';
import { formatCount } from '../../lib/format.ts';
import { isEndedBatch } from './batch-status.tsx';

/** The requests by their results, with a link to them in the usage ledger. */
export function RequestCounts({ batch }: { batch: Batch }): ReactElement {
  const { features } = useSession();
  const { total, completed, failed } = batch.request_counts;
  const numbers = [
    { name: 'All', value: total },
    { name: 'Succeeded', value: completed, className: completed > 0 ? 'text-ok' : '' },
    { name: 'Failed or not sent', value: failed, className: failed > 0 ? 'text-bad' : '' },
    { name: 'Open', value: Math.max(0, total - completed - failed) },
  ];
  return (
    <Section title="Requests">
      <div className="flex flex-col gap-4 p-4">
        <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          {numbers.map(({ name, value, className = '' }) => (
            <div key={name} className="flex flex-col-reverse">
              <dt className="text-xs text-muted">{name}</dt>
              <dd className={`text-2xl font-semibold tracking-tight tabular-nums ${className}`}>
                {formatCount(value)}
              </dd>
            </div>
          ))}
        </dl>
        <ProgressBar
          label={`${formatCount(completed + failed)} of ${formatCount(total)} requests have ended`}
          done={completed}
          failed={failed}
          total={total}
        />
        {batch.upstream !== null && !isEndedBatch(batch) && (
          <p className="text-muted">The vendor runs this batch. Its requests are counted when the vendor has ended.</p>
        )}
      </div>
      {features.ledger && (
        <p className="border-t border-line px-4 py-2.5 text-xs">
          <Link
            to="/requests"
            search={{ batch: batch.id, start: String(batch.created_at), end: String(endOfWindow(batch)) }}
            className="text-accent hover:underline"
          >
            Requests of this batch in the usage ledger, with their costs
          </Link>
        </p>
      )}
    </Section>
  );
}

/** A vendor may end its batch an hour after the window. */
function endOfWindow({ expires_at: at }: Batch): number {
  return at + 3_600;
}
