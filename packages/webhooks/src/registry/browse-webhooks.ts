import type { Webhook } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import { loadDelivery, type StoredDelivery, withResponses } from '../store/stored-delivery.ts';
import type { WebhookKeys } from '../store/webhook-keys.ts';
import { cursorNotFound, deliveryNotFound, webhookNotFound } from './not-found.ts';
import { startAfter } from './start-after.ts';
import type { WebhookRegistry } from './webhook-registry.ts';

interface OwnedWebhook extends Webhook {
  ownerId: string;
}

/** Webhooks and deliveries of several owners, for operators. */
export interface WebhookBrowser {
  /** @returns the owner of a webhook. @throws GatewayError `webhook_not_found` */
  ownerOf(webhookId: string): Promise<string>;
  /** @returns a delivery of any owner, with the receiver's responses. @throws GatewayError `webhook_not_found` */
  delivery(id: string): Promise<StoredDelivery>;
  /**
   * Lists webhooks by owner. @param after the id of the last webhook of the previous page
   * @throws GatewayError `webhook_not_found` if it does not exist
   */
  webhooks(owners: readonly string[], page: Page): Promise<{ webhooks: OwnedWebhook[]; hasMore: boolean }>;
  /**
   * Lists deliveries, newest first. @param after the id of the last delivery of the previous page
   * @throws GatewayError `webhook_not_found` if it does not exist
   */
  deliveries(owners: readonly string[], page: Page): Promise<{ deliveries: StoredDelivery[]; hasMore: boolean }>;
}

interface Page {
  after?: string | undefined;
  limit: number;
}

interface Logged {
  id: string;
  /** When it was enqueued, in Unix milliseconds. */
  at: number;
}

/** Owners whose keys are read at once, so that no reply of Redis is large. */
const BATCH = 200;
/** More deliveries of an owner in the same millisecond as the end of a page would be skipped. */
const MAX_SAME_TIME = 100;

export function createWebhookBrowser(redis: Redis, keys: WebhookKeys, registry: WebhookRegistry): WebhookBrowser {
  const load = async (id: string): Promise<StoredDelivery | undefined> =>
    /^whd_\w{1,128}$/.test(id) ? loadDelivery(redis, keys, id) : undefined;

  async function lastOf(after: string | undefined): Promise<Logged | undefined> {
    if (after === undefined) return undefined;
    const delivery = await load(after);
    if (!delivery) throw cursorNotFound('delivery');
    const { ownerId } = delivery;
    return { id: after, at: Number((await redis.zscore(keys.log(ownerId), after)) ?? 0) };
  }

  return {
    async delivery(id) {
      const delivery = await load(id);
      if (delivery) return withResponses(redis, keys, delivery);
      throw deliveryNotFound();
    },
    async ownerOf(webhookId) {
      const owner = /^whe_[0-9a-f]{32}$/.test(webhookId) ? await redis.hget(keys.webhook(webhookId), 'owner') : null;
      if (owner === null) throw webhookNotFound();
      return owner;
    },
    async webhooks(owners, { after, limit }) {
      const sets = await inBatches(owners.toSorted(), async (ownerId) =>
        (await redis.smembers(keys.of(ownerId))).toSorted().map((id) => ({ ownerId, id })),
      );
      const all = sets.flat();
      const start = startAfter(all, after);
      const found = await Promise.all(
        all.slice(start, start + limit).map(async ({ ownerId, id }) => {
          const webhook = await registry.find(ownerId, id);
          return webhook && Object.assign(webhook, { ownerId });
        }),
      );
      return { webhooks: found.filter((one) => one !== undefined), hasMore: all.length > start + limit };
    },
    async deliveries(owners, { after, limit }) {
      const last = await lastOf(after);
      const count = limit + 1 + (last ? MAX_SAME_TIME : 0);
      const max = last?.at ?? '+inf';
      const logs = await inBatches(owners, async (ownerId) =>
        loggedOf(await redis.zrevrangebyscore(keys.log(ownerId), max, '-inf', 'WITHSCORES', 'LIMIT', 0, count)),
      );
      const newest = logs.flat().toSorted(newerFirst);
      const rest = last ? newest.filter((one) => newerFirst(last, one) < 0) : newest;
      const found = await Promise.all(rest.slice(0, limit).map(({ id }) => loadDelivery(redis, keys, id)));
      return { deliveries: found.filter((one) => one !== undefined), hasMore: rest.length > limit };
    },
  };
}

async function inBatches<T>(owners: readonly string[], read: (owner: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let from = 0; from < owners.length; from += BATCH) {
    results.push(...(await Promise.all(owners.slice(from, from + BATCH).map(read))));
  }
  return results;
}

/** @param flat ids and scores in turn */
function loggedOf(flat: readonly string[]): Logged[] {
  const logged: Logged[] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) logged.push({ id: flat[at] ?? '', at: Number(flat[at + 1]) });
  return logged;
}

function newerFirst(one: Logged, other: Logged): number {
  if (one.at !== other.at) return other.at - one.at;
  return one.id === other.id ? 0 : one.id < other.id ? 1 : -1;
}
