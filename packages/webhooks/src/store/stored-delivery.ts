import type { WebhookAttempt, WebhookDelivery, WebhookEvent } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import type { WebhookKeys } from './webhook-keys.ts';

/** A delivery with the fields for its worker. */
export interface StoredDelivery extends WebhookDelivery {
  ownerId: string;
  /** Host under which attempts are counted: that of the URL when the delivery was last enqueued. */
  host: string;
  callbackUrl?: string; // of a single request
  shape: 'event' | 'provider-a';
  eventAt: number; // Unix milliseconds
  /** Failed attempts since it was last sent. */
  tries: number;
}

/** Reads a delivery and its attempts; undefined if it does not exist. */
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
    // Written by the scripts alone, from the list of events.
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
