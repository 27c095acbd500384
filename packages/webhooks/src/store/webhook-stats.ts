import type { Redis } from 'ioredis';
import type { WebhookKeys } from './webhook-keys.ts';

export interface WebhookStats {
  pending: number;
  delivered: number;
  failed: number; // Deliveries whose last attempt has failed.
  /** Number of attempts by outcome, i.e. a status class (e.g. `2xx`) or the failure. */
  attempts: Record<string, number>;
}

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
