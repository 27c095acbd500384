import {
  GatewayError,
  type SigningSecret,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
} from '@sluice/canonical';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { checkSeal } from './registry/check-seal.ts';
import { DeliveryLog, type DeliveryListing, type DeliveryPage } from './delivery/delivery-log.ts';
import { createSecretBox } from './registry/secret-box.ts';
import { createWebhookKeys } from './store/webhook-keys.ts';
import { defineWebhookScripts } from './store/webhook-scripts.ts';
import { WebhookRegistry, type WebhookParams } from './registry/webhook-registry.ts';
import type { WebhookSettings } from './store/webhook-settings.ts';
import { readWebhookStats, type WebhookStats } from './store/webhook-stats.ts';

/**
 * The client's side of webhooks. Every method throws `GatewayError('store_unavailable')` while Redis is away, and
 * `GatewayError('webhook_not_found')` for what the owner does not have.
 */
export interface Webhooks {
  /** Registers a webhook; its secret is not told again. @throws GatewayError `invalid_request` when there are too many */
  create(ownerId: string, params: WebhookParams): Promise<Webhook & SigningSecret>;
  /** Oldest first. */
  list(ownerId: string): Promise<Webhook[]>;
  find(ownerId: string, id: string): Promise<Webhook>;
  /** Changes what is said and leaves the rest. */
  update(ownerId: string, id: string, params: Partial<WebhookParams>): Promise<Webhook>;
  /** What is on its way to it is not sent any more. */
  remove(ownerId: string, id: string): Promise<void>;
  /** Gives it another secret; the one before signs as well for a time, unless it is not to be kept. */
  rotate(ownerId: string, id: string, keepsPrevious: boolean): Promise<Webhook & SigningSecret>;
  /** The secret that signs what is sent to callbacks of single requests. */
  keySecret(ownerId: string): Promise<SigningSecret>;
  rotateKeySecret(ownerId: string, keepsPrevious: boolean): Promise<SigningSecret>;
  /** Sends an event of nobody's task; answers the test of this type that is on its way, if there is one. */
  test(ownerId: string, id: string, type?: WebhookEvent): Promise<WebhookDelivery>;
  deliveries(ownerId: string, listing: DeliveryListing): Promise<DeliveryPage>;
  delivery(ownerId: string, id: string): Promise<WebhookDelivery>;
  /** Sends once more what was delivered or given up, and now what is waiting. */
  redeliver(ownerId: string, id: string): Promise<WebhookDelivery>;
  stats(): Promise<WebhookStats>;
}

/** What {@link Webhooks} run on. */
export interface WebhooksOptions {
  redis: Redis;
  /** Name under which all keys live. */
  prefix: string;
  /** The gateway's secret, which seals those of webhooks. */
  secret: string;
  settings: WebhookSettings;
  logger: Pick<Logger, 'debug' | 'error'>;
  now?: () => number;
}

/** Opens the client's side of webhooks. */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { redis, prefix, secret, settings, logger, now = Date.now } = options;
  const keys = createWebhookKeys(prefix);
  const box = createSecretBox(secret);
  defineWebhookScripts(redis);
  const registry = new WebhookRegistry({ redis, keys, box, settings, now });
  void checkSeal(redis, keys, box, logger);
  const log = new DeliveryLog({ redis, keys, settings, now });

  async function found(ownerId: string, id: string): Promise<Webhook> {
    const webhook = await registry.find(ownerId, id);
    if (webhook) return webhook;
    throw new GatewayError('webhook_not_found', 'There is no such webhook.');
  }

  return {
    create: (ownerId, params) => guarded(() => registry.create(ownerId, params)),
    list: (ownerId) => guarded(() => registry.list(ownerId)),
    find: (ownerId, id) => guarded(() => found(ownerId, id)),
    update: (ownerId, id, params) => guarded(() => registry.update(ownerId, id, params)),
    remove: (ownerId, id) => guarded(() => registry.remove(ownerId, id)),
    rotate: (ownerId, id, keepsPrevious) => guarded(() => registry.rotate(ownerId, id, keepsPrevious)),
    keySecret: (ownerId) => guarded(() => registry.keySecret(ownerId)),
    rotateKeySecret: (ownerId, keepsPrevious) => guarded(() => registry.rotateKeySecret(ownerId, keepsPrevious)),
    test: (ownerId, id, type) =>
      guarded(async () => {
        const { events } = await found(ownerId, id);
        return log.test(ownerId, id, type ?? events[0] ?? 'video.completed');
      }),
    deliveries: (ownerId, listing) =>
      guarded(async () => {
        if (listing.webhookId !== undefined) await found(ownerId, listing.webhookId);
        return log.list(ownerId, listing);
      }),
    delivery: (ownerId, id) =>
      guarded(async () => {
        const delivery = await log.find(ownerId, id);
        if (delivery) return delivery;
        throw new GatewayError('webhook_not_found', 'There is no such delivery.');
      }),
    redeliver: (ownerId, id) => guarded(() => log.redeliver(ownerId, id)),
    stats: () => guarded(() => readWebhookStats(redis, keys)),
  };
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError('store_unavailable', 'Webhooks cannot be reached at the moment. Try again shortly.', {
      retryAfterMs: 1_000,
      cause: error,
    });
  }
}
