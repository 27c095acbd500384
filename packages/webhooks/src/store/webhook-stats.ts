import type { Redis } from 'ioredis';
import type { WebhookKeys } from './webhook-keys.ts';

/** Numbers of all webhooks, kept in Redis. */
export interface WebhookStats {
  /** Deliveries on their way. */
  pending: number;
  delivered: number;
  /** Given up. */
  failed: number;
  /** Attempts by outcome: `2xx` and its like, or why there was no answer. */
  attempts: Record<string, number>;
}

/** Reads the numbers: one hash, one round trip. */
export async function readWebhookStats(redis: Redis, keys: WebhookKeys): Promise<WebhookStats> {
  const stats = await redis.hgetall(keys.stats);
  const attempts = Object.entries(stats).flatMap(([field, count]): [string, number][] =>
    field.startsWith('attempts:') ? [[field.slice('attempts:'.length), Number(count)]] : [],
  );
  return {
    pending: Math.max(0, Number(stats['pending'] ?? 0)),
    delivered: Number(stats['delivered'] ?? 0),
    failed: Number(stats['failed'] ?? 0),
    attempts: Object.fromEntries(attempts),
  };
}
