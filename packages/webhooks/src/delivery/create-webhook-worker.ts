import type { Redis } from 'ioredis';
import { type AttemptContext, attemptDelivery, type AttemptResult } from './attempt-delivery.ts';
import { checkGatewaySecret } from '../registry/check-gateway-secret.ts';
import { retryDelayMs } from './retry-delay.ts';
import { createSecretCipher } from '../registry/secret-cipher.ts';
import { createWebhookKeys } from '../store/webhook-keys.ts';
import { type StoredDelivery, loadDelivery } from '../store/stored-delivery.ts';
import { defineWebhookScripts } from '../store/webhook-scripts.ts';
import { WebhookRegistry } from '../registry/webhook-registry.ts';
import type { WebhookSettings } from '../store/webhook-settings.ts';

export interface WebhookWorkerOptions extends Pick<
  AttemptContext,
  'loadTask' | 'isRevoked' | 'encodeEvent' | 'post' | 'logger'
> {
  /** A connection whose commands wait while Redis is away; the caller closes it. */
  redis: Redis;
  /** `redis.prefix` of the configuration. */
  prefix: string;
  /** The gateway's secret, which decrypts those of webhooks. */
  secret: string;
  settings: WebhookSettings;
  now?: () => number;
  /** A number from 0 up to 1. */
  random?: () => number;
}

export interface WebhookWorker {
  /** Claims nothing more and lets attempts in flight end; after `graceMs` they are released. */
  close(graceMs: number): Promise<void>;
}

/** Pause after a failure of Redis, beside the wait of the connection. */
const PAUSE_MS = 1_000;

/**
 * Delivers what is due, in every worker process. The outbox and all claims are in Redis, so any number of processes
 * share the work, and a dead worker's deliveries are claimed again when its leases end.
 */
export function createWebhookWorker(options: WebhookWorkerOptions): WebhookWorker {
  const { redis, settings, logger, now = Date.now, random = Math.random } = options;
  const keys = createWebhookKeys(options.prefix);
  const cipher = createSecretCipher(options.secret);
  defineWebhookScripts(redis);
  const stopping = new AbortController();
  const registry = new WebhookRegistry({ redis, keys, cipher, settings, now });
  const context: AttemptContext = { ...options, registry, cipher, now, signal: stopping.signal };
  const inFlight = new Set<Promise<void>>();
  const closing = new AbortController();
  let wake: (() => void) | undefined;
  // Slots for owners without attempts in flight, so that owners with slow servers never take all.
  const stored = Math.min(settings.concurrency - 1, Math.ceil(settings.concurrency / 4));

  async function claim(
    free: number,
  ): Promise<{ claims: [id: string, claim: string][]; startBy: number; nextAt: number }> {
    const startBy = now() + settings.leaseMs;
    const leaseUntil = startBy + settings.timeoutMs;
    const [next, ...flat] = await redis.webhooksClaim(
      keys.outbox,
      keys.prefix,
      now(),
      settings.perHost,
      settings.perOwner,
      leaseUntil,
      free,
      settings.retentionMs,
      stored,
    );
    const claims: [string, string][] = [];
    for (let at = 0; at + 1 < flat.length; at += 2) claims.push([String(flat[at]), String(flat[at + 1])]);
    return { claims, startBy, nextAt: next === '' ? Infinity : Number(next) };
  }

  async function deliver(id: string, claimed: string, startBy: number): Promise<void> {
    const delivery = await loadDelivery(redis, keys, id);
    if (!delivery) return;
    const at = now();
    const result = await attemptDelivery(context, delivery, startBy).catch((err: unknown): AttemptResult => {
      logger.error({ err, delivery: id }, 'an attempt at a webhook broke off');
      // Counts as an attempt, so that it is not repeated forever.
      return { outcome: 'retry', attempt: { at, durationMs: Math.max(0, now() - at), error: 'internal_error' } };
    });
    await settle(delivery, claimed, result);
  }

  async function settle(delivery: StoredDelivery, claimed: string, result: AttemptResult): Promise<void> {
    const write = (outcome: string, attempt: string, at: number, kind: string) =>
      redis.webhooksRecordOutcome(
        keys.delivery(delivery.id),
        keys.prefix,
        now(),
        settings.perHost,
        settings.perOwner,
        delivery.id,
        claimed,
        outcome,
        attempt,
        at,
        kind,
      );
    if (result.outcome === 'release') {
      const isGivenBack = (await write('release', '', now(), '')) === 1;
      logger.debug(
        { delivery: delivery.id },
        isGivenBack ? 'webhook given back' : 'webhook attempt of an overtaken worker',
      );
      return;
    }
    const { attempt } = result;
    const waitMs =
      result.outcome === 'retry'
        ? retryDelayMs(settings.retryMs, {
            failed: delivery.tries + 1,
            random: random(),
            ...(result.retryAfterMs !== undefined && { retryAfterMs: result.retryAfterMs }),
          })
        : undefined;
    const outcome = result.outcome === 'retry' && waitMs === undefined ? 'failed' : result.outcome;
    const kind = attempt.error ?? `${String(attempt.status).charAt(0)}xx`;
    const isWritten = await write(outcome, JSON.stringify(attempt), now() + (waitMs ?? 0), kind);
    const facts = { delivery: delivery.id, task: delivery.taskId, ...attempt, outcome };
    if (isWritten === 0) logger.info(facts, 'webhook attempt of an overtaken worker');
    else if (outcome === 'delivered') logger.debug(facts, 'webhook delivered');
    else logger.info(facts, outcome === 'failed' ? 'webhook given up' : 'webhook not delivered; trying again');
  }

  async function work(): Promise<void> {
    while (!closing.signal.aborted) {
      const free = settings.concurrency - inFlight.size;
      // Armed before the claim, so that an attempt that ends meanwhile wakes the loop.
      const slot = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const { claims, startBy, nextAt } = free > 0 ? await claim(free) : { claims: [], startBy: 0, nextAt: Infinity };
      for (const [id, claimed] of claims) {
        const attempt = deliver(id, claimed, startBy)
          // The lease ends by itself, and the delivery is then retried.
          .catch((err: unknown) => logger.error({ err, delivery: id }, 'a webhook could not be handled'))
          .finally(() => {
            inFlight.delete(attempt);
            wake?.();
          });
        inFlight.add(attempt);
      }
      if (claims.length > 0) continue;
      const waitMs = Math.min(settings.pollMs, Math.max(0, nextAt - now()));
      const timer = setTimeout(() => wake?.(), waitMs);
      await slot;
      clearTimeout(timer);
    }
  }

  async function keepWorking(): Promise<void> {
    while (!closing.signal.aborted) {
      await work().catch(async (err: unknown) => {
        logger.error({ err }, 'webhooks could not be looked for');
        await new Promise((resolve) => setTimeout(resolve, closing.signal.aborted ? 0 : PAUSE_MS));
      });
    }
  }

  void checkGatewaySecret(redis, keys, cipher, logger);
  const working = keepWorking();
  return {
    async close(graceMs) {
      closing.abort();
      wake?.();
      const timer = setTimeout(() => stopping.abort(), graceMs);
      const ended = working.then(() => Promise.allSettled(inFlight));
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, graceMs + PAUSE_MS).unref())]);
      clearTimeout(timer);
    },
  };
}
