import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { TaskDetails } from '../../api/tasks.ts';
import { Badge } from '../../components/badge.tsx';
import { Section } from '../../components/page-head.tsx';

/** Where the end of the task was reported. */
export function Deliveries({ deliveries }: Pick<TaskDetails, 'deliveries'>): ReactElement | null {
  if (deliveries.length === 0) return null;
  return (
    <Section title="Webhooks">
      <ul className="divide-y divide-line">
        {deliveries.map(({ id, status, attempts, webhook_id: webhookId, event_type: type }) => {
          const last = attempts.at(-1);
          return (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2.5">
              <div className="min-w-0">
                <div className="font-medium">{type}</div>
                <div className="truncate font-mono text-xs text-muted">{webhookId ?? 'callback of the request'}</div>
              </div>
              <div className="flex items-center gap-3">
                <span className="text-xs text-muted">{last && (last.status_code ?? last.error)}</span>
                <Badge tone={status === 'delivered' ? 'ok' : status === 'failed' ? 'bad' : 'neutral'}>{status}</Badge>
                <Link to="/webhooks" search={{ delivery: id }} className="text-accent hover:underline">
                  Details
                </Link>
              </div>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
