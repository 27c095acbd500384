import { GATEWAY_MESSAGES } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import { packJson, unpackJson } from './packed-json.ts';
import type { StoredItems } from './stored-items.ts';
import { isOpen, type StoredResponse } from './stored-response.ts';
import type { TextKeys } from '../../generation/reasoning/text-keys.ts';

export class ResponseRecords {
  readonly #redis: Redis;
  readonly #keys: TextKeys;
  readonly #items: StoredItems;
  readonly #retentionMs: number;

  constructor(redis: Redis, keys: TextKeys, items: StoredItems, retentionMs: number) {
    this.#redis = redis;
    this.#keys = keys;
    this.#items = items;
    this.#retentionMs = retentionMs;
  }

  async write(record: StoredResponse): Promise<void> {
    const [body, writeItems] = await Promise.all([packJson(record), this.#items.pack(record)]);
    await this.#redis.set(this.#keys.response(record.owner, record.id), body, 'PX', this.#retentionMs);
    await writeItems();
  }

  /** Overwrites a response with its final record, unless the response was removed. */
  async replace(record: StoredResponse): Promise<void> {
    const [body, writeItems] = await Promise.all([packJson(record), this.#items.pack(record)]);
    const key = this.#keys.response(record.owner, record.id);
    if ((await this.#redis.set(key, body, 'PX', this.#retentionMs, 'XX')) !== null) await writeItems();
  }

  /**
   * Reads a response. An unfinished one is returned as canceled if it was canceled, or as failed if its process no
   * longer sends heartbeats.
   */
  async read(owner: string, id: string): Promise<StoredResponse | undefined> {
    const [body, alive, canceled] = await this.#redis.mgetBuffer(
      this.#keys.response(owner, id),
      this.#keys.alive(owner, id),
      this.#keys.canceled(owner, id),
    );
    if (!body) return undefined;
    // The cast is safe because `write` or `replace` wrote this value.
    const record = (await unpackJson(body)) as StoredResponse;
    if (!isOpen(record)) return record;
    if (canceled) return { ...record, status: 'cancelled' };
    if (alive) return record;
    const message = GATEWAY_MESSAGES.serverStopped;
    return { ...record, status: 'failed', error: { code: 'server_error', message } };
  }

  async cancel(owner: string, id: string): Promise<StoredResponse | undefined> {
    const record = await this.read(owner, id);
    if (!record || !isOpen(record)) return record;
    await this.#flagCanceled(owner, id);
    return { ...record, status: 'cancelled' };
  }

  async remove(owner: string, id: string): Promise<boolean> {
    const record = await this.read(owner, id);
    if (!record) return false;
    if (isOpen(record)) await this.#flagCanceled(owner, id);
    await this.#redis.del(this.#keys.response(owner, id), ...this.#items.keysOf(record));
    return true;
  }

  /**
   * Claims the charge under a separate Redis key, which does not extend the record's retention or conflict with its
   * writers.
   */
  async takeCharge(owner: string, id: string): Promise<boolean> {
    return (await this.#redis.set(this.#keys.paid(owner, id), '1', 'PX', this.#retentionMs, 'NX')) !== null;
  }

  /** Only the generating process writes an unfinished record, so a separate key signals the cancellation. */
  async #flagCanceled(owner: string, id: string): Promise<void> {
    await this.#redis.set(this.#keys.canceled(owner, id), '1', 'PX', this.#retentionMs);
  }
}
