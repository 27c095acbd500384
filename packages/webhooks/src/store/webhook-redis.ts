import type { WebhookAttempt, WebhookDelivery, WebhookEvent } from '@sluice/canonical';
import type { Redis, Result } from 'ioredis';
import { CLAIM_SCRIPT } from './claim-script.ts';
import {
  CHANGE_SCRIPT,
  FIRST_SECRET_SCRIPT,
  REGISTER_SCRIPT,
  RETIRE_SCRIPT,
  ROTATE_SCRIPT,
} from './registry-scripts.ts';
import { FOLLOW_SCRIPT, REDELIVER_SCRIPT, TEST_SCRIPT } from './send-scripts.ts';
import { SETTLE_SCRIPT } from './settle-script.ts';
import type { WebhookKeys } from './webhook-keys.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    webhooksClaim(key: string, ...args: (string | number)[]): Result<(string | number)[], Context>;
    webhooksSettle(key: string, ...args: (string | number)[]): Result<number, Context>;
    webhooksRedeliver(key: string, ...args: (string | number)[]): Result<number, Context>;
    webhooksRegister(webhook: string, of: string, ...args: (string | number)[]): Result<number, Context>;
    webhooksChange(key: string, ...args: (string | number)[]): Result<number, Context>;
    webhooksRetire(key: string, ...args: (string | number)[]): Result<number, Context>;
    webhooksRotate(key: string, ...args: (string | number)[]): Result<string, Context>;
    webhooksFirstSecret(key: string, ...args: (string | number)[]): Result<string[], Context>;
    webhooksFollow(key: string, ...args: (string | number)[]): Result<number, Context>;
    webhooksTest(key: string, ...args: (string | number)[]): Result<string, Context>;
  }
}

/** Teaches a connection the scripts of webhooks. */
export function defineWebhookScripts(redis: Redis): void {
  redis.defineCommand('webhooksClaim', { numberOfKeys: 1, lua: CLAIM_SCRIPT });
  redis.defineCommand('webhooksSettle', { numberOfKeys: 1, lua: SETTLE_SCRIPT });
  redis.defineCommand('webhooksRedeliver', { numberOfKeys: 1, lua: REDELIVER_SCRIPT });
  redis.defineCommand('webhooksRegister', { numberOfKeys: 2, lua: REGISTER_SCRIPT });
  redis.defineCommand('webhooksChange', { numberOfKeys: 1, lua: CHANGE_SCRIPT });
  redis.defineCommand('webhooksRetire', { numberOfKeys: 1, lua: RETIRE_SCRIPT });
  redis.defineCommand('webhooksRotate', { numberOfKeys: 1, lua: ROTATE_SCRIPT });
  redis.defineCommand('webhooksFirstSecret', { numberOfKeys: 1, lua: FIRST_SECRET_SCRIPT });
  redis.defineCommand('webhooksFollow', { numberOfKeys: 1, lua: FOLLOW_SCRIPT });
  redis.defineCommand('webhooksTest', { numberOfKeys: 1, lua: TEST_SCRIPT });
}

/** A delivery with what only its worker needs. */
export interface KeptDelivery extends WebhookDelivery {
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
export async function loadDelivery(redis: Redis, keys: WebhookKeys, id: string): Promise<KeptDelivery | undefined> {
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
