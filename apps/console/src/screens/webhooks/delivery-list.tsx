import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { deliveriesQuery, type Webhook, type WebhookDelivery } from '../../api/webhooks.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState, ErrorNotice } from '../../components/notices.tsx';
import { Section } from '../../components/page-head.tsx';
import { Pages } from '../../components/pages.tsx';
import { TimeCell } from '../../components/time-cell.tsx';
import { useWebhookRights } from './use-webhook-rights.ts';

const PAGE_SIZE = 20;
const REFRESH_MS = 5_000;
const route = getRouteApi('/webhooks');

const TONES: Readonly<Record<WebhookDelivery['status'], Tone>> = { pending: 'accent', delivered: 'ok', failed: 'bad' };

/** Deliveries of all webhooks or of one, newest first. */
export function DeliveryList({ webhooks }: { webhooks: readonly Webhook[] }): ReactElement {
  const { key, webhook, after } = route.useSearch();
  const { all } = useWebhookRights();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery({
    ...deliveriesQuery({ all, key, webhook, after, limit: PAGE_SIZE }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Section title="Deliveries" aside={<WebhookFilter webhooks={webhooks} />}>
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {data?.data.length === 0 && (
          <EmptyState title="No deliveries">
            <p>They appear when a task, a response, a batch, or a group ends, or when you send a test.</p>
          </EmptyState>
        )}
        {data?.data.length !== 0 && !(error && !data) && (
          <DataTable
            caption="Deliveries, newest first"
            columns={columnsOf(webhooks, all)}
            rows={data?.data}
            idOf={({ id }) => id}
          />
        )}
      </Section>
      <Pages
        isFirst={after === undefined}
        next={data?.next}
        onGo={(to) => void navigate({ search: (now) => ({ ...now, after: to }) })}
      />
    </>
  );
}

export function DeliveryStatus({ status }: Pick<WebhookDelivery, 'status'>): ReactElement {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}

/** The address of a webhook that still exists, or its id. */
export function receiverOf({ webhook_id: id }: WebhookDelivery, webhooks: readonly Webhook[]): string {
  if (id === undefined) return 'Callback of a request';
  return webhooks.find((one) => one.id === id)?.url ?? id;
}

function columnsOf(webhooks: readonly Webhook[], all: boolean): Column<WebhookDelivery>[] {
  const key: Column<WebhookDelivery> = { title: 'Key', cell: (delivery) => delivery.key, isMinor: true };
  return [
    {
      title: 'Time',
      cell: ({ id, created_at: at }) => (
        <Link to="/webhooks" search={(now) => ({ ...now, delivery: id })} className="text-accent hover:underline">
          <TimeCell at={at * 1_000} />
        </Link>
      ),
    },
    { title: 'Status', cell: ({ status }) => <DeliveryStatus status={status} />, detail: responseOf },
    ...(all ? [key] : []),
    {
      title: 'Event',
      isFlexible: true,
      cell: ({ event_type: type, task_id: task }) => (task === undefined ? `${type} (test)` : type),
    },
    {
      title: 'Receiver',
      cell: (delivery) => <div className="max-w-72 truncate">{receiverOf(delivery, webhooks)}</div>,
      isMinor: true,
    },
    { title: 'Attempts', cell: ({ attempts }) => attempts.length, align: 'end', isMinor: true },
    {
      title: 'Response',
      cell: responseOf,
      align: 'end',
      isMinor: true,
    },
  ];
}

/** The newest response, as a status or an error. */
function responseOf({ attempts }: WebhookDelivery): ReactNode {
  return attempts.at(-1)?.status_code ?? attempts.at(-1)?.error ?? '–';
}

function WebhookFilter({ webhooks }: { webhooks: readonly Webhook[] }): ReactElement {
  const { webhook = '' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <select
      aria-label="Receiver"
      className="field max-w-60"
      value={webhook}
      onChange={({ target }) => void navigate({ search: ({ key }) => ({ key, webhook: target.value || undefined }) })}
    >
      <option value="">All receivers</option>
      {webhooks.map(({ id, url, name }) => (
        <option key={id} value={id}>
          {name === '' ? url : name}
        </option>
      ))}
      {webhook !== '' && !webhooks.some(({ id }) => id === webhook) && <option value={webhook}>{webhook}</option>}
    </select>
  );
}
