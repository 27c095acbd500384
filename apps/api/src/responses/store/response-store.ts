import type { Redis } from 'ioredis';
import { readConversation } from './read-conversation.ts';
import { ResponseRecords } from './response-records.ts';
import { type RunningResponse, runResponse } from './running-response.ts';
import { withStoreErrors } from './store-errors.ts';
import { StoredItems } from './stored-items.ts';
import type { StoredResponse } from './stored-response.ts';
import type { TextKeys } from '../../generation/reasoning/text-keys.ts';

/** While Redis is down, every method quickly throws `store_unavailable`. */
export interface ResponseStore {
  put(record: StoredResponse): Promise<void>;
  /** Claims the charge for usage beyond the reservation. @returns true for the first caller only */
  takeCharge(record: Pick<StoredResponse, 'owner' | 'id'>): Promise<boolean>;
  /** Stores an unfinished response that this process generates. Sends heartbeats until it is finished. */
  markInProgress(record: StoredResponse): Promise<RunningResponse>;
  /** Reads a response. If its process has died, an unfinished response is returned as failed. */
  get(owner: string, id: string): Promise<StoredResponse | undefined>;
  /**
   * Cancels an unfinished response, whichever process generates it.
   * @returns the updated response; a finished one is unchanged
   */
  cancel(owner: string, id: string): Promise<StoredResponse | undefined>;
  /** @returns whether it existed */
  remove(owner: string, id: string): Promise<boolean>;
  /**
   * Returns all input and output items of a conversation up to a response, oldest first.
   * @throws GatewayError `previous_response_not_found` if a response is missing; `invalid_request` if a response is
   * unfinished or the conversation has more than 200 responses
   */
  chain(owner: string, id: string): Promise<Record<string, unknown>[]>;
  item(owner: string, itemIds: readonly string[]): Promise<Map<string, unknown>>;
  /** Records the owner of items that an upstream stores. {@link put} does this for a response's own items. */
  recordItems(owner: string, upstream: string, itemIds: readonly string[]): Promise<void>;
  /** Returns the upstream of each item by item id. Omits items of other owners. */
  upstreamsOf(owner: string, itemIds: readonly string[]): Promise<Map<string, string>>;
}

export interface ResponseStoreSettings {
  retentionMs: number;
  /** Interval between heartbeats, 10 s by default. A process counts as dead after three missing ones. */
  heartbeatMs?: number;
}

export function createResponseStore(redis: Redis, keys: TextKeys, settings: ResponseStoreSettings): ResponseStore {
  const { retentionMs, heartbeatMs = 10_000 } = settings;
  const items = new StoredItems(redis, keys, retentionMs);
  const records = new ResponseRecords(redis, keys, items, retentionMs);

  async function put(record: StoredResponse): Promise<void> {
    const { owner, upstream, vendorItems = [] } = record;
    await Promise.all([items.writeUpstream(owner, upstream, vendorItems), records.write(record)]);
  }

  async function markInProgress(record: StoredResponse): Promise<RunningResponse> {
    const running = runResponse(redis, keys, record, { heartbeatMs, finish: (final) => records.replace(final) });
    try {
      await Promise.all([records.write(record), running.sendHeartbeat()]);
    } catch (error) {
      running.stop();
      throw error;
    }
    return running;
  }

  return {
    put: (record) => withStoreErrors(() => put(record)),
    takeCharge: ({ owner, id }) => withStoreErrors(() => records.takeCharge(owner, id)),
    markInProgress: (record) => withStoreErrors(() => markInProgress(record)),
    get: (owner, id) => withStoreErrors(() => records.read(owner, id)),
    cancel: (owner, id) => withStoreErrors(() => records.cancel(owner, id)),
    remove: (owner, id) => withStoreErrors(() => records.remove(owner, id)),
    chain: (owner, id) => withStoreErrors(() => readConversation((link) => records.read(owner, link), id)),
    item: (owner, itemIds) => withStoreErrors(() => items.read(owner, itemIds)),
    recordItems: (owner, upstream, ids) => withStoreErrors(() => items.writeUpstream(owner, upstream, ids)),
    upstreamsOf: (owner, itemIds) => withStoreErrors(() => items.readUpstreams(owner, itemIds)),
  };
}
