import type { Redis } from 'ioredis';
import type { WebhookKeys } from '../store/webhook-keys.ts';
import type { WebhookSettings } from '../store/webhook-settings.ts';

export interface ClaimContext {
  redis: Redis;
  keys: WebhookKeys;
  settings: WebhookSettings;
  now: () => number;
}

export interface ClaimedDeliveries {
  claims: { id: string; claim: string }[];
  /** Latest time to start the claimed attempts, in Unix milliseconds. */
  startBy: number;
  /** When the next delivery is due, in Unix milliseconds; Infinity if no delivery is scheduled. */
  nextAt: number;
}

/** Moves entries from the outbox to the queues, and leases at most `free` due deliveries. */
export async function claimDeliveries(
  { redis, keys, settings, now }: ClaimContext,
  free: number,
): Promise<ClaimedDeliveries> {
  const { concurrency, perHost, perOwner, retentionMs } = settings;
  const at = now();
  const startBy = at + settings.leaseMs;
  const leaseUntil = startBy + settings.timeoutMs;
  // Reserve slots for owners without attempts in flight, so that owners with slow servers cannot occupy all slots.
  const reserved = Math.min(concurrency - 1, Math.ceil(concurrency / 4));
  const limits = [perHost, perOwner, leaseUntil, free, retentionMs, reserved];
  const [next, ...flat] = await redis.webhooksClaim(keys.outbox, keys.prefix, at, ...limits);
  const claims: ClaimedDeliveries['claims'] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) claims.push({ id: String(flat[i]), claim: String(flat[i + 1]) });
  return { claims, startBy, nextAt: next === '' ? Infinity : Number(next) };
}
