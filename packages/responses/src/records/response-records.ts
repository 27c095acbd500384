import { GATEWAY_MESSAGES } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import { packJson, unpackJson } from './packed-json.ts';
import type { StoredItems } from './stored-items.ts';
import { isOpen, type StoredResponse } from './stored-response.ts';
import type { ResponseKeys } from './response-keys.ts';

export class ResponseRecords {
  readonly #redis: Redis;
  readonly #keys: ResponseKeys;
  readonly #items: StoredItems;
  readonly #retentionMs: number;

  constructor(redis: Redis, keys: ResponseKeys, items: StoredItems, retentionMs: number) {
    this.#redis = redis;
    this.#keys = keys;
    this.#items = items;
    this.#retentionMs = retentionMs;
  }

  async write(record: StoredResponse): Promise<void> {
    // One after the other, because both can have megabytes.
    const items = await this.#items.pack(record);
    const body = await packJson(record);
    await this.#redis.set(this.#keys.response(record.owner, record.id), body, 'PX', this.#retentionMs);
    await this.#items.write(items);
  }

  /**
   * Reads a response. An unfinished one has a job. If not, a process of an earlier version generated it, and the response
   * is returned as canceled if it was canceled, or as failed because this process has died.
   */
  async read(owner: string, id: string): Promise<StoredResponse | undefined> {
    const [body, alive, canceled] = await this.#redis.mgetBuffer(
      this.#keys.response(owner, id),
      this.#keys.alive(owner, id),
      this.#keys.canceled(owner, id),
    );
    if (!body) return undefined;
    // The cast is safe because only this package writes this value.
    const record = (await unpackJson(body)) as StoredResponse;
    if (!isOpen(record)) return record;
    if (canceled) return { ...record, status: 'cancelled' };
    if (alive) return record;
    const message = GATEWAY_MESSAGES.serverStopped;
    return { ...record, status: 'failed', error: { code: 'server_error', message } };
  }

  /** Signals the process of an earlier version that generates a response. */
  async flagCanceled({ owner, id }: Pick<StoredResponse, 'owner' | 'id'>): Promise<void> {
    await this.#redis.set(this.#keys.canceled(owner, id), '1', 'PX', this.#retentionMs);
  }
}
