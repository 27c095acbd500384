import { randomBytes as systemRandomBytes } from 'node:crypto';
import { cursorNotFound, deliveryNotFound, webhookNotFound } from '../registry/not-found.ts';
import { type WebhookDelivery, type WebhookEvent } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import type { RandomBytes } from '../registry/signing-secrets.ts';
import type { WebhookKeys } from '../store/webhook-keys.ts';
import { loadDelivery, type StoredDelivery } from '../store/stored-delivery.ts';
import type { WebhookSettings } from '../store/webhook-settings.ts';

export interface DeliveryListing {
  webhookId?: string;
  /** Id of the last delivery of the previous page. */
  after?: string;
  limit: number;
}

/** A page of deliveries, newest first. */
export interface DeliveryPage {
  deliveries: WebhookDelivery[];
  hasMore: boolean;
}

export interface DeliveryLogOptions {
  redis: Redis;
  keys: WebhookKeys;
  settings: Pick<WebhookSettings, 'perHost' | 'perOwner' | 'retentionMs'>;
  now: () => number;
  randomBytes?: RandomBytes;
}

const EVENT_BYTES = 13;
/** Maximum characters of the part of an object's id in the ids of its event and deliveries. The prefix is left out. */
const EVENT_CHARS = 26;

export class DeliveryLog {
  readonly #redis: Redis;
  readonly #keys: WebhookKeys;
  readonly #settings: DeliveryLogOptions['settings'];
  readonly #now: () => number;
  readonly #randomBytes: RandomBytes;

  constructor(options: DeliveryLogOptions) {
    this.#redis = options.redis;
    this.#keys = options.keys;
    this.#settings = options.settings;
    this.#now = options.now;
    this.#randomBytes = options.randomBytes ?? systemRandomBytes;
  }

  /** @throws GatewayError `webhook_not_found` if the delivery `after` does not exist */
  async list(ownerId: string, { webhookId, after, limit }: DeliveryListing): Promise<DeliveryPage> {
    const log = webhookId === undefined ? this.#keys.log(ownerId) : this.#keys.webhookLog(webhookId);
    const rank = after === undefined ? -1 : await this.#redis.zrevrank(log, after);
    if (rank === null) throw cursorNotFound('delivery');
    const ids = await this.#redis.zrevrange(log, rank + 1, rank + 1 + limit);
    const deliveries = await Promise.all(ids.slice(0, limit).map((id) => this.find(ownerId, id)));
    return { deliveries: deliveries.filter((one) => one !== undefined), hasMore: ids.length > limit };
  }

  async find(ownerId: string, id: string): Promise<StoredDelivery | undefined> {
    if (!/^whd_\w{1,128}$/.test(id)) return undefined;
    const delivery = await loadDelivery(this.#redis, this.#keys, id);
    return delivery?.ownerId === ownerId ? delivery : undefined;
  }

  /** Returns the deliveries of a task's event. Their ids are derived from the task and the recipient. */
  async ofTask(ownerId: string, taskId: string, webhookIds: readonly string[]): Promise<WebhookDelivery[]> {
    const event = taskId.slice(-EVENT_CHARS).replace(/^.*_/, '');
    const recipients = ['callback', ...webhookIds.map((id) => id.slice('whe_'.length))];
    const found = await Promise.all(recipients.map((one) => this.find(ownerId, `whd_${event}_${one}`)));
    return found.flatMap((one) => (one?.taskId === taskId ? [one] : []));
  }

  /** @throws GatewayError `webhook_not_found` */
  async redeliver(ownerId: string, id: string): Promise<WebhookDelivery> {
    const known = await this.find(ownerId, id);
    if (known) await this.#redis.webhooksRedeliver(this.#keys.delivery(id), ...this.#scriptArgs(), id, ownerId);
    const delivery = await this.find(ownerId, id);
    if (delivery) return delivery;
    throw deliveryNotFound();
  }

  /** Sends an event with a sample task. @throws GatewayError `webhook_not_found` */
  async test(ownerId: string, webhookId: string, type: WebhookEvent): Promise<WebhookDelivery> {
    const event = `evt_test${Buffer.from(this.#randomBytes(EVENT_BYTES)).toString('hex')}`;
    const { retentionMs } = this.#settings;
    const key = this.#keys.webhook(webhookId);
    const id = await this.#redis.webhooksTest(key, ...this.#scriptArgs(), webhookId, ownerId, event, type, retentionMs);
    const delivery = await this.find(ownerId, id);
    if (delivery) return delivery;
    throw webhookNotFound();
  }

  #scriptArgs(): [string, number, number, number] {
    return [this.#keys.prefix, this.#now(), this.#settings.perHost, this.#settings.perOwner];
  }
}
