import type { Redis } from 'ioredis';
import type { AttemptContext } from './attempt-delivery.ts';
import { checkGatewaySecret } from '../registry/check-gateway-secret.ts';
import { createSecretCipher } from '../registry/secret-cipher.ts';
import { createWebhookKeys } from '../store/webhook-keys.ts';
import { DeliveryLoop } from './delivery-loop.ts';
import { defineWebhookScripts } from '../store/webhook-scripts.ts';
import { WebhookRegistry } from '../registry/webhook-registry.ts';
import type { WebhookSettings } from '../store/webhook-settings.ts';

export interface WebhookWorkerOptions extends Pick<
  AttemptContext,
  'loadTask' | 'isRevoked' | 'encodeEvent' | 'post' | 'startTrace' | 'logger'
> {
  /** A connection whose commands wait while Redis is unavailable. The caller must close it. */
  redis: Redis;
  /** The value of `redis.prefix` in the configuration. */
  prefix: string;
  secret: string;
  settings: WebhookSettings;
  now?: () => number;
  random?: () => number;
}

export interface WebhookWorker {
  /** Stops claiming and waits for the attempts in flight. After `graceMs`, aborts and releases them. */
  close(graceMs: number): Promise<void>;
}

/** Time for aborted attempts to release their deliveries. */
const ABORT_GRACE_MS = 1_000;

/**
 * Delivers due events. The outbox and all claims are in Redis, so any number of processes can share the work. If a
 * worker dies, other workers claim its deliveries when its leases end.
 */
export function createWebhookWorker(options: WebhookWorkerOptions): WebhookWorker {
  const { redis, settings, logger, now = Date.now, random = Math.random } = options;
  const keys = createWebhookKeys(options.prefix);
  const cipher = createSecretCipher(options.secret);
  defineWebhookScripts(redis);
  const stopping = new AbortController();
  const registry = new WebhookRegistry({ redis, keys, cipher, settings, now });
  const loop = new DeliveryLoop({ ...options, keys, registry, cipher, now, random, signal: stopping.signal });
  void checkGatewaySecret(redis, keys, cipher, logger);
  const running = loop.run();
  return {
    async close(graceMs) {
      loop.close();
      const timer = setTimeout(() => stopping.abort(), graceMs);
      const ended = running.then(() => loop.inFlightEnded());
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, graceMs + ABORT_GRACE_MS).unref())]);
      clearTimeout(timer);
    },
  };
}
