import type { SigningSecret, Webhook, WebhookAttempt, WebhookDelivery, WebhookResponse } from '@sluice/canonical';
import type { z } from 'zod';
import { unixSeconds } from '../media/task-facts.ts';
import type {
  DeletedWebhookSchema,
  DeliveryPageSchema,
  DeliverySchema,
  KeySecretSchema,
  WebhookPageSchema,
  WebhookSchema,
  WebhookTestSchema,
  WebhookWithSecretSchema,
} from './schema.ts';

type Shown = z.output<typeof WebhookSchema> | z.output<typeof WebhookWithSecretSchema>;

/** Encodes a webhook with both OpenAI's field names and Sluice's. */
export function encodeWebhook(webhook: Webhook & Partial<SigningSecret>): Shown {
  const { id, url, name, events, disabled, createdAt, updatedAt, secret } = webhook;
  return {
    id,
    object: 'webhook_endpoint',
    url,
    name,
    events,
    event_types: events,
    enabled: disabled === undefined,
    ...(disabled !== undefined && { disabled_reason: disabled }),
    created_at: unixSeconds(createdAt),
    updated_at: unixSeconds(updatedAt),
    ...secretFields(webhook),
    ...(secret !== undefined && { secret, signing_secret: secret }),
  };
}

export function encodeWebhooks(webhooks: readonly Webhook[], hasMore: boolean): z.output<typeof WebhookPageSchema> {
  return page(
    webhooks.map((webhook) => encodeWebhook(webhook)),
    hasMore,
  );
}

export function encodeDeleted(id: string): z.output<typeof DeletedWebhookSchema> {
  return { id, object: 'webhook_endpoint.deleted', deleted: true };
}

export function encodeSecret(shown: SigningSecret): z.output<typeof KeySecretSchema> {
  const { secret } = shown;
  return { object: 'webhook_secret', secret, signing_secret: secret, ...secretFields(shown) };
}

/** @param request the request that was sent, if it is known */
export function encodeDelivery(
  delivery: WebhookDelivery,
  request?: { url: string; body?: string | undefined },
): z.output<typeof DeliverySchema> {
  const { id, webhookId, eventId, type, taskId, status, createdAt, dueAt, attempts } = delivery;
  return {
    id,
    object: 'webhook.delivery',
    ...(webhookId !== undefined && { webhook_id: webhookId }),
    event_id: eventId,
    event_type: type,
    ...(taskId !== undefined && { task_id: taskId }),
    status,
    created_at: unixSeconds(createdAt),
    ...(status === 'pending' && dueAt !== undefined && { next_attempt_at: unixSeconds(dueAt) }),
    attempts: attempts.map(encodeAttempt),
    ...(request && { request }),
  };
}

export function encodeDeliveries(
  deliveries: readonly WebhookDelivery[],
  hasMore: boolean,
): z.output<typeof DeliveryPageSchema> {
  return page(
    deliveries.map((delivery) => encodeDelivery(delivery)),
    hasMore,
  );
}

/** Encodes a test result in OpenAI's format, with the delivery as an additional field. */
export function encodeTest(delivery: WebhookDelivery): z.output<typeof WebhookTestSchema> {
  const last = delivery.attempts.at(-1);
  return {
    object: 'webhook_endpoint.test',
    webhook_endpoint_id: delivery.webhookId ?? '',
    event_type: delivery.type,
    success: last?.status !== undefined,
    ...(last?.status !== undefined && { status_code: last.status }),
    ...(last?.error !== undefined && { error: last.error }),
    delivery: encodeDelivery(delivery),
  };
}

function encodeAttempt({ at, durationMs, status, error, response }: WebhookAttempt) {
  return {
    at: unixSeconds(at),
    duration_ms: Math.round(durationMs),
    ...(status !== undefined && { status_code: status }),
    ...(error !== undefined && { error }),
    ...(response && { response: encodeReceived(response) }),
  };
}

function encodeReceived({ headers, body, isTruncated }: WebhookResponse) {
  return {
    headers,
    ...(body !== undefined && { body }),
    ...(isTruncated === true && { truncated: true as const }),
  };
}

function secretFields({
  secretHint,
  previousSecretUntil: until,
}: Pick<SigningSecret, 'secretHint' | 'previousSecretUntil'>) {
  return {
    signing_secret_hint: secretHint,
    ...(until !== undefined && { previous_secret_until: unixSeconds(until) }),
  };
}

function page<T extends { id: string }>(data: T[], hasMore: boolean) {
  return {
    object: 'list' as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}
