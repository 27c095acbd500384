import type { WebhookAttempt, WebhookDelivery, WebhookEvent } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import type { WebhookKeys } from './webhook-keys.ts';

/** A delivery with what only its worker needs. */
export interface StoredDelivery extends WebhookDelivery {
  ownerId: string;
  /** Where its attempts are counted: the host that its URL named when it was last put in line. */
  host: string;
  /** The URL of a single request's callback. */
  callbackUrl?: string;
  shape: 'event' | 'provider-a';
  /** When the event happened, Unix milliseconds. */
  eventAt: number;
  /** Attempts that have failed since it was last sent. */
  tries: number;
}

/** Reads a delivery and its attempts; undefined when it is gone. */
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
    // Written by the scripts alone, out of the list of events.
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
