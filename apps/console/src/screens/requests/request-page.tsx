import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactElement } from 'react';
import { type LedgerEntry, requestQuery } from '../../api/requests.ts';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { PageHead, Section } from '../../components/page-head.tsx';
import { Facts } from '../../components/facts.tsx';
import { formatCost, formatDuration, formatTime } from '../../lib/format.ts';
import { Attempts } from './attempts.tsx';
import { PriceLines } from './price-lines.tsx';
import { Status } from './request-columns.tsx';

const route = getRouteApi('/requests/$id');

/** One request or task: what was sent where, what it used, and what it cost. */
export function RequestPage(): ReactElement {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(requestQuery(id));
  return (
    <>
      <Link to="/requests" className="mb-3 inline-flex items-center gap-1.5 text-muted hover:text-text">
        <ArrowLeft aria-hidden className="size-4" /> Requests
      </Link>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-64" />}
      {data && <Entry entry={data} />}
    </>
  );
}

function Entry({ entry }: { entry: LedgerEntry }): ReactElement {
  return (
    <>
      <PageHead title={<span className="break-all">{entry.model ?? entry.endpoint}</span>}>
        <Status status={entry.status} />
      </PageHead>
      <div className="grid items-start gap-4 lg:grid-cols-[1fr_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Attempts entry={entry} />
          <PriceLines entry={entry} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Section title="Summary">
            <Facts facts={summaryOf(entry)} />
          </Section>
          <Section title="Ids">
            <Facts facts={idsOf(entry)} />
          </Section>
        </div>
      </div>
    </>
  );
}

function summaryOf(entry: LedgerEntry) {
  const { type, at_ms: at, endpoint, protocol, relayed, error_code: code, key, user, labels = {} } = entry;
  return [
    { name: 'Ended', value: formatTime(at) },
    { name: 'Type', value: type },
    { name: 'Endpoint', value: endpoint },
    { name: 'Protocol', value: protocol },
    { name: 'Translation', value: relayed === undefined ? undefined : relayed ? 'relayed unchanged' : 'translated' },
    { name: 'Error', value: code },
    { name: 'Duration', value: formatDuration(entry.duration_ms) },
    { name: 'First event', value: durationOf(entry.first_event_ms) },
    { name: 'Queued', value: durationOf(entry.queue_ms) },
    { name: 'Run', value: durationOf(entry.run_ms) },
    { name: 'Cost', value: entry.unpriced ? 'no price' : formatCost(entry.cost_usd ?? 0) },
    { name: 'Key', value: key },
    { name: 'End user', value: user },
    ...Object.entries(labels).map(([name, value]) => ({ name, value })),
  ];
}

function idsOf({ id, request_id: requestId, task_id: taskId }: LedgerEntry) {
  return [
    { name: 'Entry', value: id, canCopy: true },
    { name: 'Request', value: requestId, canCopy: true },
    { name: 'Task', value: taskId, canCopy: true },
  ];
}

function durationOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : formatDuration(ms);
}
