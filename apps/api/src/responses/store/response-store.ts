import type { Redis } from 'ioredis';
import { readConversation } from './read-conversation.ts';
import { ResponseRecords } from './response-records.ts';
import { type RunningResponse, runResponse } from './running-response.ts';
import { withStoreErrors } from './store-errors.ts';
import { StoredItems } from './stored-items.ts';
import type { StoredResponse } from './stored-response.ts';
import type { TextKeys } from '../../generation/text-keys.ts';

/** Every call throws `store_unavailable` quickly while Redis is down. */
export interface ResponseStore {
  put(record: StoredResponse): Promise<void>;
  /** Claims the charge of usage beyond the reservation. @returns true for the first caller only */
  takeCharge(record: Pick<StoredResponse, 'owner' | 'id'>): Promise<boolean>;
  /** Stores an open response that this process generates, and sends heartbeats until it is finished. */
  markInProgress(record: StoredResponse): Promise<RunningResponse>;
  /** An open response whose process has died is read as failed. */
  get(owner: string, id: string): Promise<StoredResponse | undefined>;
  /** Cancels an open response in any process. @returns the updated response; a final one is unchanged */
  cancel(owner: string, id: string): Promise<StoredResponse | undefined>;
  /** @returns whether it existed */
  remove(owner: string, id: string): Promise<boolean>;
  /**
   * All input and output items of a conversation up to a response, oldest first.
   * @throws GatewayError `previous_response_not_found` if a response is missing; `invalid_request` if one is open, or if
   *   there are more than 200
   */
  chain(owner: string, id: string): Promise<Record<string, unknown>[]>;
  item(owner: string, itemIds: readonly string[]): Promise<Map<string, unknown>>;
  /** Records the owner of items that an upstream stores; {@link put} does so for those of a response. */
  recordItems(owner: string, upstream: string, itemIds: readonly string[]): Promise<void>;
  /** By item id, without items of other owners. */
  upstreamsOf(owner: string, itemIds: readonly string[]): Promise<Map<string, string>>;
}

export interface ResponseStoreSettings {
  retentionMs: number;
  /** Interval of heartbeats, default 10 s. A process counts as dead after three missing ones. */
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
      await Promise.all([records.write(record), running.beat()]);
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
