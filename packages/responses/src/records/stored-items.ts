import type { Redis } from 'ioredis';
import { packJson, unpackJson } from './packed-json.ts';
import { isOpen, type StoredResponse } from './stored-response.ts';
import type { ResponseKeys } from './response-keys.ts';

type StoredItem = Record<string, unknown> & { id: string };

/** Stores items by id. ioredis pipelines all commands of one tick. */
export class StoredItems {
  readonly #redis: Redis;
  readonly #keys: ResponseKeys;
  readonly #retentionMs: number;

  constructor(redis: Redis, keys: ResponseKeys, retentionMs: number) {
    this.#redis = redis;
    this.#keys = keys;
    this.#retentionMs = retentionMs;
  }

  /** Encodes the output items of a final response. @returns the keys and values */
  async pack(record: StoredResponse): Promise<[key: string, value: Buffer][]> {
    const items = isOpen(record) ? [] : record.outputItems.filter(hasId);
    return Promise.all(
      items.map(async (item): Promise<[string, Buffer]> => [
        this.#keys.item(record.owner, item.id),
        await packJson(item),
      ]),
    );
  }

  async write(packed: readonly [key: string, value: Buffer][]): Promise<void> {
    await Promise.all(packed.map(([key, value]) => this.#set(key, value)));
  }

  async writeUpstream(owner: string, upstream: string, itemIds: readonly string[]): Promise<void> {
    await Promise.all(itemIds.map((id) => this.#set(this.#keys.itemUpstream(owner, id), upstream)));
  }

  async read(owner: string, itemIds: readonly string[]): Promise<Map<string, unknown>> {
    const ids = [...new Set(itemIds)];
    if (ids.length === 0) return new Map();
    const values = await this.#redis.mgetBuffer(ids.map((id) => this.#keys.item(owner, id)));
    const known = ids.flatMap((id, index) => {
      const packed = values[index];
      return packed ? [unpackJson(packed).then((item): [string, unknown] => [id, item])] : [];
    });
    return new Map(await Promise.all(known));
  }

  async readUpstreams(owner: string, itemIds: readonly string[]): Promise<Map<string, string>> {
    const ids = [...new Set(itemIds)];
    if (ids.length === 0) return new Map();
    const values = await this.#redis.mget(ids.map((id) => this.#keys.itemUpstream(owner, id)));
    const known = ids.flatMap((id, index): [string, string][] => {
      const upstream = values[index];
      return typeof upstream === 'string' ? [[id, upstream]] : [];
    });
    return new Map(known);
  }

  keysOf({ owner, outputItems, vendorItems = [] }: StoredResponse): string[] {
    return [
      ...outputItems.filter(hasId).map(({ id }) => this.#keys.item(owner, id)),
      ...vendorItems.map((id) => this.#keys.itemUpstream(owner, id)),
    ];
  }

  async #set(key: string, value: string | Buffer): Promise<void> {
    await this.#redis.set(key, value, 'PX', this.#retentionMs);
  }
}

function hasId(item: Record<string, unknown>): item is StoredItem {
  return typeof item === 'object' && item !== null && typeof item['id'] === 'string' && item['id'] !== '';
}
