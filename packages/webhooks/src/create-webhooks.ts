import {
  guardStore,
  type SigningSecret,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
} from '@sluice/canonical';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { createWebhookBrowser, type WebhookBrowser } from './registry/browse-webhooks.ts';
import { deliveryNotFound, webhookNotFound } from './registry/not-found.ts';
import { checkGatewaySecret } from './registry/check-gateway-secret.ts';
import { DeliveryLog, type DeliveryListing, type DeliveryPage } from './delivery/delivery-log.ts';
import { createSecretCipher } from './registry/secret-cipher.ts';
import { createWebhookKeys } from './store/webhook-keys.ts';
import { type StoredDelivery, withResponses } from './store/stored-delivery.ts';
import { defineWebhookScripts } from './store/webhook-scripts.ts';
import { WebhookRegistry, type WebhookParams } from './registry/webhook-registry.ts';
import type { WebhookSettings } from './store/webhook-settings.ts';
import { readWebhookStats, type WebhookStats } from './store/webhook-stats.ts';

/**
 * Operations on webhooks. Every method throws `GatewayError('store_unavailable')` while Redis is unavailable, and
 * `GatewayError('webhook_not_found')` if the owner has no webhook with the id.
 */
export interface Webhooks {
  /**
   * Creates a webhook. Only this method and rotations return its secret. @throws GatewayError `invalid_request` if the
   * owner has too many webhooks
   */
  create(ownerId: string, params: WebhookParams): Promise<Webhook & SigningSecret>;
  list(ownerId: string): Promise<Webhook[]>;
  find(ownerId: string, id: string): Promise<Webhook>;
  update(ownerId: string, id: string, params: Partial<WebhookParams>): Promise<Webhook>;
  /** Removes a webhook and cancels its pending deliveries. */
  remove(ownerId: string, id: string): Promise<void>;
  /** Replaces the secret. If `keepsPrevious` is set, the previous secret also signs for a limited time. */
  rotate(ownerId: string, id: string, keepsPrevious: boolean): Promise<Webhook & SigningSecret>;
  keySecret(ownerId: string): Promise<SigningSecret>;
  rotateKeySecret(ownerId: string, keepsPrevious: boolean): Promise<SigningSecret>;
  /** Sends an event with a sample task. If a test event of this type is still pending, returns that event instead. */
  test(ownerId: string, id: string, type?: WebhookEvent): Promise<WebhookDelivery>;
  deliveries(ownerId: string, listing: DeliveryListing): Promise<DeliveryPage>;
  /** Returns a task's deliveries to the owner's webhooks, and to the callback of the task's request. */
  deliveriesOf(ownerId: string, taskId: string): Promise<WebhookDelivery[]>;
  /** Returns a delivery with the receiver's responses. */
  delivery(ownerId: string, id: string): Promise<StoredDelivery>;
  /** Sends a finished delivery again, or sends a pending delivery immediately. */
  redeliver(ownerId: string, id: string): Promise<WebhookDelivery>;
  /** Reads webhooks and deliveries of several owners. */
  browser: WebhookBrowser;
  stats(): Promise<WebhookStats>;
}

export interface WebhooksOptions {
  redis: Redis;
  /** The value of `redis.prefix` in the configuration. */
  prefix: string;
  /** The gateway's secret, which encrypts the secrets of webhooks. */
  secret: string;
  settings: WebhookSettings;
  logger: Pick<Logger, 'debug' | 'error'>;
  now?: () => number;
}

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { redis, prefix, secret, settings, logger, now = Date.now } = options;
  const keys = createWebhookKeys(prefix);
  const cipher = createSecretCipher(secret);
  defineWebhookScripts(redis);
  const registry = new WebhookRegistry({ redis, keys, cipher, settings, now });
  void checkGatewaySecret(redis, keys, cipher, logger);
  const browser = createWebhookBrowser(redis, keys, registry);
  const log = new DeliveryLog({ redis, keys, settings, now });

  async function expect(ownerId: string, id: string): Promise<Webhook> {
    const webhook = await registry.find(ownerId, id);
    if (webhook) return webhook;
    throw webhookNotFound();
  }

  return {
    create: (ownerId, params) => guarded(() => registry.create(ownerId, params)),
    list: (ownerId) => guarded(() => registry.list(ownerId)),
    find: (ownerId, id) => guarded(() => expect(ownerId, id)),
    update: (ownerId, id, params) => guarded(() => registry.update(ownerId, id, params)),
    remove: (ownerId, id) => guarded(() => registry.remove(ownerId, id)),
    rotate: (ownerId, id, keepsPrevious) => guarded(() => registry.rotate(ownerId, id, keepsPrevious)),
    keySecret: (ownerId) => guarded(() => registry.keySecret(ownerId)),
    rotateKeySecret: (ownerId, keepsPrevious) => guarded(() => registry.rotateKeySecret(ownerId, keepsPrevious)),
    test: (ownerId, id, type) =>
      guarded(async () => {
        const { events } = await expect(ownerId, id);
        return log.test(ownerId, id, type ?? events[0] ?? 'video.completed');
      }),
    deliveries: (ownerId, listing) =>
      guarded(async () => {
        if (listing.webhookId !== undefined) await expect(ownerId, listing.webhookId);
        return log.list(ownerId, listing);
      }),
    deliveriesOf: (ownerId, taskId) =>
      guarded(async () => {
        const webhooks = await registry.list(ownerId);
        return log.ofTask(
          ownerId,
          taskId,
          webhooks.map(({ id }) => id),
        );
      }),
    delivery: (ownerId, id) =>
      guarded(async () => {
        const delivery = await log.find(ownerId, id);
        if (delivery) return withResponses(redis, keys, delivery);
        throw deliveryNotFound();
      }),
    redeliver: (ownerId, id) => guarded(() => log.redeliver(ownerId, id)),
    browser: {
      ownerOf: (id) => guarded(() => browser.ownerOf(id)),
      delivery: (id) => guarded(() => browser.delivery(id)),
      webhooks: (owners, page) => guarded(() => browser.webhooks(owners, page)),
      deliveries: (owners, page) => guarded(() => browser.deliveries(owners, page)),
    },
    stats: () => guarded(() => readWebhookStats(redis, keys)),
  };
}

function guarded<T>(work: () => Promise<T>): Promise<T> {
  return guardStore('webhook store', work);
}
