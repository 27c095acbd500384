import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft, ExternalLink } from 'lucide-react';
import type { ReactElement } from 'react';
import { type LedgerEntry, requestQuery } from '../../api/requests.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { PageHead, PlainHead, Section } from '../../components/page-head.tsx';
import { type Fact, Facts } from '../../components/facts.tsx';
import { keyLink } from '../../lib/key-link.ts';
import { formatDuration, formatEndpoint, formatTime } from '../../lib/format.ts';
import { Attempts } from './attempts.tsx';
import { PriceLines } from './price-lines.tsx';
import { Translation } from './translation.tsx';
import { entryCost, Status } from './request-columns.tsx';

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
      {!data && <PlainHead title={id} />}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-64" />}
      {data && <Entry entry={data} />}
    </>
  );
}

function Entry({ entry }: { entry: LedgerEntry }): ReactElement {
  const session = useSession();
  const { trace_url: traceUrl } = session;
  return (
    <>
      <PageHead title={<span className="break-all">{entry.model ?? formatEndpoint(entry.endpoint)}</span>}>
        <Status status={entry.status} error_code={entry.error_code} />
      </PageHead>
      <div className="grid items-start gap-4 lg:grid-cols-[1fr_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Attempts entry={entry} />
          <Translation entry={entry} />
          <PriceLines entry={entry} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Section title="Summary">
            <Facts facts={summaryOf(entry, isOperator(session))} />
          </Section>
          <Section title="Ids">
            <Facts facts={idsOf(entry)} />
            {entry.trace_id !== undefined && traceUrl !== undefined && (
              <p className="px-4 pb-4">
                <a
                  className="inline-flex items-center gap-1.5 text-accent hover:underline"
                  href={traceUrl.replaceAll('{trace_id}', encodeURIComponent(entry.trace_id))}
                  target="_blank"
                  rel="noreferrer"
                >
                  Open the trace <ExternalLink aria-hidden className="size-3.5" />
                </a>
              </p>
            )}
            {entry.task_id !== undefined && (
              <p className="px-4 pb-4">
                <Link to="/tasks/$id" params={{ id: entry.task_id }} className="text-accent hover:underline">
                  Open the task
                </Link>
              </p>
            )}
          </Section>
        </div>
      </div>
    </>
  );
}

function summaryOf(entry: LedgerEntry, operates: boolean): Fact[] {
  const { type, at_ms: at, endpoint, protocol, relayed, error_code: code, key, user, labels = {} } = entry;
  const links = linksOf(entry, operates);
  return [
    { name: 'Ended', value: formatTime(at) },
    { name: 'Type', value: type },
    { name: 'Endpoint', value: formatEndpoint(endpoint) },
    { name: 'Protocol', value: protocol },
    { name: 'Model', value: entry.model, link: links.model },
    { name: 'Upstream', value: entry.upstream, link: links.upstream },
    { name: 'Credential', value: entry.credential },
    { name: 'Sent as', value: relayed === undefined ? undefined : relayed ? 'relayed unchanged' : 'translated' },
    { name: 'Error', value: code },
    { name: 'Duration', value: formatDuration(entry.duration_ms) },
    { name: 'First event', value: durationOf(entry.first_event_ms) },
    { name: 'Queued', value: durationOf(entry.queue_ms) },
    { name: 'Run', value: durationOf(entry.run_ms) },
    { name: 'Cost', value: entryCost(entry) },
    { name: 'Key', value: key, link: links.key },
    { name: 'End user', value: user },
    ...Object.entries(labels).map(([name, value]) => ({ name, value })),
  ];
}

/** The screens of the model, the upstream, and the key. A holder has only those of the own key. */
function linksOf(
  { model, upstream, key }: LedgerEntry,
  operates: boolean,
): Partial<Record<'model' | 'upstream' | 'key', Fact['link']>> {
  if (!operates) {
    return { key: { to: '/keys' }, ...(model !== undefined && { model: { to: '/requests', search: { model } } }) };
  }
  return {
    key: keyLink(key),
    // Without an upstream, the configuration may have no such model.
    ...(model !== undefined && upstream !== undefined && { model: { to: '/models', search: { show: model } } }),
    ...(upstream !== undefined && { upstream: { to: '/upstreams/$name', params: { name: upstream } } }),
  };
}

function idsOf({ id, request_id: requestId, task_id: taskId, trace_id: traceId }: LedgerEntry) {
  return [
    { name: 'Entry', value: id, canCopy: true },
    { name: 'Request', value: requestId, canCopy: true },
    { name: 'Task', value: taskId, canCopy: true },
    { name: 'Trace', value: traceId, canCopy: true },
  ];
}

function durationOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : formatDuration(ms);
}
