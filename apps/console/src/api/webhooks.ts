import type {
  AdminDeliveryPage,
  AdminWebhookPage,
  Webhook as OwnWebhook,
  WebhookDelivery as OwnDelivery,
  WebhookDeliveryPage,
  WebhookPage,
  WebhookSecret,
  WebhookTest,
  WebhookWithSecret,
} from '@sluice/api/responses';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

/** Lists of operators name the key of each item. */
export type Webhook = OwnWebhook & { key?: string };
export type WebhookDelivery = OwnDelivery & { key?: string };

export interface WebhookScope {
  /** Whether the webhooks of all keys are meant, with the admin API, instead of those of the session's key. */
  all: boolean;
}

/** The part of a response that has a new secret. */
export type ShownSecret = Pick<WebhookSecret, 'secret' | 'previous_secret_until'>;

export const EVENTS = [
  'video.completed',
  'video.failed',
  'image.completed',
  'image.failed',
  'response.completed',
  'response.failed',
  'response.incomplete',
  'response.cancelled',
  'batch.completed',
  'batch.failed',
  'batch.expired',
  'batch.cancelled',
] as const;

const MAX_WEBHOOKS = 100;

/** @param key with `all`: only the webhooks of this API key */
export function webhooksQuery({ all, key }: WebhookScope & { key?: string | undefined }) {
  const path = all ? '/admin/v1/webhooks' : '/v1/webhooks';
  return queryOptions({
    queryKey: ['webhooks', all, key],
    queryFn: async ({ signal }): Promise<{ data: readonly Webhook[]; has_more: boolean }> =>
      callApi<AdminWebhookPage | WebhookPage>(path, { query: { key, limit: MAX_WEBHOOKS }, signal }),
  });
}

export interface DeliveryQuery extends WebhookScope {
  key?: string | undefined;
  /** Id of a webhook; undefined for all, with callbacks. */
  webhook?: string | undefined;
  after?: string | undefined;
  limit: number;
}

/** Deliveries, newest first, with the position of the next page. */
export function deliveriesQuery({ all, key, webhook, after, limit }: DeliveryQuery) {
  return queryOptions({
    queryKey: ['deliveries', all, key, webhook, after, limit],
    queryFn: async ({ signal }): Promise<{ data: readonly WebhookDelivery[]; next: string | undefined }> => {
      if (all) {
        const query = { key, webhook_id: webhook, after, limit };
        const page = await callApi<AdminDeliveryPage>('/admin/v1/webhooks/deliveries', { query, signal });
        return { data: page.data, next: page.next };
      }
      const of = webhook === undefined ? '' : `/${encodeURIComponent(webhook)}`;
      const query = { after, limit };
      const page = await callApi<WebhookDeliveryPage>(`/v1/webhooks${of}/deliveries`, { query, signal });
      return { data: page.data, next: page.has_more ? (page.last_id ?? undefined) : undefined };
    },
  });
}

export function deliveryQuery(id: string, { all }: WebhookScope) {
  return queryOptions({
    queryKey: ['delivery', id, all],
    queryFn: ({ signal }) => callApi<WebhookDelivery>(deliveryPath(id, all), { signal }),
  });
}

function deliveryPath(id: string, all: boolean): string {
  return `${all ? '/admin' : ''}/v1/webhooks/deliveries/${encodeURIComponent(id)}`;
}

/** @throws ApiError, as all of the following */
export function createWebhook(params: Record<string, unknown>): Promise<WebhookWithSecret> {
  return callApi('/v1/webhooks', { method: 'POST', body: params });
}

export function updateWebhook(id: string, params: Record<string, unknown>): Promise<Webhook> {
  return callApi(`/v1/webhooks/${id}`, { method: 'PATCH', body: params });
}

export function deleteWebhook(id: string, { all }: WebhookScope): Promise<unknown> {
  return callApi(`${all ? '/admin' : ''}/v1/webhooks/${id}`, { method: 'DELETE' });
}

export function testWebhook(id: string): Promise<WebhookTest> {
  return callApi(`/v1/webhooks/${id}/test`, { method: 'POST', body: {} });
}

/** @param id a webhook, or undefined for the secret of callbacks */
export function rotateSecret(
  id: string | undefined,
  { keepsPrevious, all }: WebhookScope & { keepsPrevious: boolean },
): Promise<ShownSecret> {
  const path = `${all ? '/admin' : ''}/v1/webhooks/${id ?? 'secret'}/rotate`;
  return callApi(path, { method: 'POST', body: { keep_previous: keepsPrevious } });
}

/** The secret of callbacks, which is created on first use. */
export function retrieveCallbackSecret(): Promise<ShownSecret> {
  return callApi('/v1/webhooks/secret');
}

export function redeliver(id: string, { all }: WebhookScope): Promise<WebhookDelivery> {
  return callApi(`${deliveryPath(id, all)}/redeliver`, { method: 'POST' });
}
