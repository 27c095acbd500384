import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactElement } from 'react';
import { type Batch, batchQuery } from '../../api/batches.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import { type Fact, Facts } from '../../components/facts.tsx';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { PageHead, PlainHead, Section } from '../../components/page-head.tsx';
import { formatCost, formatCount, formatTime } from '../../lib/format.ts';
import { keyLink } from '../../lib/key-link.ts';
import { BatchActions } from './batch-actions.tsx';
import { BatchErrors } from './batch-errors.tsx';
import { BatchFiles } from './batch-files.tsx';
import { batchCost, BatchStatus, isEndedBatch, runnerOf } from './batch-status.tsx';
import { RequestCounts } from './request-counts.tsx';

const OPEN_REFRESH_MS = 2_000;
const route = getRouteApi('/batches/$id');

/** One batch: its progress, errors, files, and cost, and the actions that its state allows. */
export function BatchPage(): ReactElement {
  const { id } = route.useParams();
  const all = isOperator(useSession());
  const { data, error, refetch } = useQuery({
    ...batchQuery(id, all),
    refetchInterval: ({ state }) => (state.data && isEndedBatch(state.data) ? false : OPEN_REFRESH_MS),
  });
  return (
    <>
      <Link to="/batches" className="mb-3 inline-flex items-center gap-1.5 text-muted hover:text-text">
        <ArrowLeft aria-hidden className="size-4" /> Batches
      </Link>
      {!data && <PlainHead title={id} />}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-64" />}
      {data && <BatchView batch={data} />}
    </>
  );
}

function BatchView({ batch }: { batch: Batch }): ReactElement {
  return (
    <>
      <PageHead title={<span className="break-all">{batch.model ?? 'Batch'}</span>}>
        <BatchStatus {...batch} />
        <BatchActions batch={batch} />
      </PageHead>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <BatchErrors batch={batch} />
          {!(isEndedBatch(batch) && batch.request_counts.total === 0) && <RequestCounts batch={batch} />}
          <BatchFiles batch={batch} />
        </div>
        <Summary batch={batch} />
      </div>
    </>
  );
}

function Summary({ batch }: { batch: Batch }): ReactElement {
  const all = isOperator(useSession());
  const { owner, usage, max_cost_usd: maxCost } = batch;
  const facts: Fact[] = [
    { name: 'Batch', value: batch.id, canCopy: true },
    { name: 'Key', value: owner, link: owner === undefined ? undefined : keyLink(owner) },
    { name: 'Endpoint', value: batch.endpoint },
    {
      name: 'Sent',
      value: runnerOf(batch),
      link: all && batch.upstream !== null ? { to: '/upstreams/$name', params: { name: batch.upstream } } : undefined,
    },
    { name: 'Cost', value: batchCost(batch) },
    { name: 'Limit', value: maxCost === null ? undefined : formatCost(maxCost) },
    { name: 'Tokens', value: usage && `${formatCount(usage.input_tokens)} → ${formatCount(usage.output_tokens)}` },
    { name: 'Priority', value: String(batch.priority) },
    { name: 'Lost in a crash', value: batch.retry_unknown ? 'sent again' : 'not sent again' },
    { name: 'Created', value: time(batch.created_at) },
    { name: 'Started', value: time(batch.in_progress_at) },
    { name: 'Ended', value: time(endOf(batch)) },
    { name: isEndedBatch(batch) ? 'Window' : 'Expires', value: windowOf(batch) },
    ...Object.entries(batch.metadata ?? {}).map(([name, value]) => ({ name, value })),
  ];
  return (
    <Section title="Summary">
      <Facts facts={facts} />
    </Section>
  );
}

function windowOf(batch: Batch): string | undefined {
  return isEndedBatch(batch) ? batch.completion_window : time(batch.expires_at);
}

function endOf(batch: Batch): number | null {
  return batch.completed_at ?? batch.failed_at ?? batch.expired_at ?? batch.cancelled_at;
}

/** @param at Unix seconds */
function time(at: number | null): string | undefined {
  return at === null ? undefined : formatTime(at * 1_000);
}
