import type {
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookPage,
  WebhookSecret,
  WebhookTest,
  WebhookWithSecret,
} from '@sluice/api/responses';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

export type { Webhook, WebhookDelivery };

/** The part of a response that has a new secret. */
export type ShownSecret = Pick<WebhookSecret, 'secret' | 'previous_secret_until'>;

export const EVENTS = ['video.completed', 'video.failed', 'image.completed', 'image.failed'] as const;

const MAX_WEBHOOKS = 100;

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => callApi<WebhookPage>('/v1/webhooks', { query: { limit: MAX_WEBHOOKS }, signal }),
});

/** Deliveries, newest first. @param webhook id of a webhook; undefined for all, with callbacks */
export function deliveriesQuery({
  webhook,
  after,
  limit,
}: {
  webhook?: string | undefined;
  after?: string | undefined;
  limit: number;
}) {
  const path =
    webhook === undefined ? '/v1/webhooks/deliveries' : `/v1/webhooks/${encodeURIComponent(webhook)}/deliveries`;
  return queryOptions({
    queryKey: ['deliveries', webhook, after, limit],
    queryFn: ({ signal }) => callApi<WebhookDeliveryPage>(path, { query: { after, limit }, signal }),
  });
}

export function deliveryQuery(id: string) {
  return queryOptions({
    queryKey: ['delivery', id],
    queryFn: ({ signal }) => callApi<WebhookDelivery>(`/v1/webhooks/deliveries/${encodeURIComponent(id)}`, { signal }),
  });
}

/** @throws ApiError, as all of the following */
export function createWebhook(params: Record<string, unknown>): Promise<WebhookWithSecret> {
  return callApi('/v1/webhooks', { method: 'POST', body: params });
}

export function updateWebhook(id: string, params: Record<string, unknown>): Promise<Webhook> {
  return callApi(`/v1/webhooks/${id}`, { method: 'PATCH', body: params });
}

export function deleteWebhook(id: string): Promise<unknown> {
  return callApi(`/v1/webhooks/${id}`, { method: 'DELETE' });
}

export function testWebhook(id: string): Promise<WebhookTest> {
  return callApi(`/v1/webhooks/${id}/test`, { method: 'POST', body: {} });
}

/** @param id a webhook, or undefined for the secret of callbacks */
export function rotateSecret(id: string | undefined, keepsPrevious: boolean): Promise<ShownSecret> {
  const path = id === undefined ? '/v1/webhooks/secret/rotate' : `/v1/webhooks/${id}/rotate`;
  return callApi(path, { method: 'POST', body: { keep_previous: keepsPrevious } });
}

/** The secret of callbacks, which is created on first use. */
export function retrieveCallbackSecret(): Promise<ShownSecret> {
  return callApi('/v1/webhooks/secret');
}

export function redeliver(id: string): Promise<WebhookDelivery> {
  return callApi(`/v1/webhooks/deliveries/${encodeURIComponent(id)}/redeliver`, { method: 'POST' });
}
