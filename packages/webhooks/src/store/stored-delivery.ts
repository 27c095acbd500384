import type { WebhookAttempt, WebhookDelivery, WebhookEvent, WebhookResponse } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import type { WebhookKeys } from './webhook-keys.ts';

/** A delivery, with the fields that the worker needs. */
export interface StoredDelivery extends WebhookDelivery {
  ownerId: string;
  /** The host for which attempts are counted: the URL's host when the delivery was last enqueued. */
  host: string;
  callbackUrl?: string; // Set for the callback of a single request.
  shape: 'event' | 'provider-a';
  eventAt: number; // Unix milliseconds.
  /** Number of failed attempts since the delivery was created or last redelivered. */
  tries: number;
}

/** A response with the time of its attempt. */
interface StoredResponse extends WebhookResponse {
  at: number;
}

/** Adds the stored responses to the attempts of a delivery. Lists do not read them, because they can be large. */
export async function withResponses(
  redis: Redis,
  keys: WebhookKeys,
  delivery: StoredDelivery,
): Promise<StoredDelivery> {
  const stored = await redis.lrange(keys.responses(delivery.id), 0, -1);
  // The cast is safe because only `recordAttempt` writes this list.
  const responses = new Map(
    stored.map((json) => {
      const { at, ...response } = JSON.parse(json) as StoredResponse;
      return [at, response] as const;
    }),
  );
  const attempts = delivery.attempts.map((attempt) => {
    const response = responses.get(attempt.at);
    return response ? { ...attempt, response } : attempt;
  });
  return { ...delivery, attempts };
}

/** Reads a delivery and its attempts. Returns undefined if the delivery does not exist. */
export async function loadDelivery(redis: Redis, keys: WebhookKeys, id: string): Promise<StoredDelivery | undefined> {
  const [fields, attempts] = await Promise.all([
    redis.hgetall(keys.delivery(id)),
    redis.lrange(keys.attempts(id), 0, -1),
  ]);
  if (!fields['id']) return undefined;
  const text = (name: string): string => fields[name] ?? '';
  return {
    id,
    ownerId: text('owner'),
    host: text('host'),
    eventId: text('event'),
    // The cast is safe because only the scripts write this field, from the list of events.
    type: text('type') as WebhookEvent,
    status: text('status') as WebhookDelivery['status'],
    shape: text('shape') === 'provider-a' ? 'provider-a' : 'event',
    createdAt: Number(text('createdAt')),
    eventAt: Number(text('at')),
    tries: Number(text('tries')),
    ...(text('webhook') !== '' && { webhookId: text('webhook') }),
    ...(text('callback') !== '' && { callbackUrl: text('callback') }),
    ...(text('task') !== '' && { taskId: text('task') }),
    ...(text('dueAt') !== '' && { dueAt: Number(text('dueAt')) }),
    attempts: attempts.map((json) => JSON.parse(json) as WebhookAttempt),
  };
}
