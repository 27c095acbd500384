import {
  type ClientEnd,
  EventLog,
  isOpen,
  lastEventOf,
  type LogPart,
  type NewPoll,
  type NewRun,
  type Repetition,
  type ResponseEnd,
  ResponseJobs,
  ResponseRecords,
  StoredItems,
  type StoredResponse,
} from '@sluice/responses';
import type { Redis } from 'ioredis';
import type { ChargedJob } from '../../metering/charges.ts';
import type { TextKeys } from '../../generation/reasoning/text-keys.ts';
import { readConversation } from './read-conversation.ts';
import { withStoreErrors } from './store-errors.ts';

/** While Redis is down, every method quickly throws `store_unavailable`. */
export interface ResponseStore {
  put(record: StoredResponse): Promise<void>;
  /**
   * Stores an unfinished response that a worker generates.
   * @returns its id; the id of an earlier response, and nothing is stored, if the request repeats one
   * @throws GatewayError `idempotency_key_reused` for the key of another request
   */
  createRun(record: StoredResponse, run: NewRun): Promise<string>;
  /** Returns the response that an earlier request has created. @throws GatewayError as {@link createRun} */
  findRepeated(owner: string, repetition: Repetition): Promise<StoredResponse | undefined>;
  /** Stores a response that its vendor generates, and that a worker polls. */
  createPoll(record: StoredResponse, poll: NewPoll): Promise<void>;
  /** Returns what to charge if the end of a response at its vendor stays unknown. Undefined if nothing is open. */
  unknownOf(record: StoredResponse): Promise<string | undefined>;
  /** Ends the job of a response that its vendor has ended. @returns false if the job has ended or was removed */
  endPoll(record: StoredResponse, end: ResponseEnd): Promise<boolean>;
  /** Returns how to charge a response that has ended, and how to remove its job after that. */
  chargedJob(record: StoredResponse): Pick<ChargedJob, 'due' | 'drop'>;
  /** Reads the events after the one with a number. Undefined if the response has no log. */
  readEvents(owner: string, id: string, after: number): Promise<LogPart | undefined>;
  get(owner: string, id: string): Promise<StoredResponse | undefined>;
  /** Cancels an unfinished response, in whichever state. A finished one is unchanged. */
  cancel(owner: string, id: string): Promise<CanceledResponse>;
  remove(record: StoredResponse): Promise<ClientEnd>;
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

interface CanceledResponse {
  /** The response after the call. Undefined if it does not exist. */
  record: StoredResponse | undefined;
  /** Set if no upstream was called, so that the caller must release what was reserved. */
  admission?: string | undefined;
}

export interface ResponseStoreSettings {
  /** The value of `redis.prefix` in the configuration. */
  prefix: string;
  retentionMs: number;
  /** Maximum size of the log of a background response's events. */
  logBytes: number;
}

export function createResponseStore(redis: Redis, keys: TextKeys, settings: ResponseStoreSettings): ResponseStore {
  const { prefix, retentionMs } = settings;
  const items = new StoredItems(redis, keys, retentionMs);
  const records = new ResponseRecords(redis, keys, items, retentionMs);
  const jobs = new ResponseJobs({ redis, items, ...settings });
  const log = new EventLog(redis, prefix);

  async function put(record: StoredResponse): Promise<void> {
    const { owner, upstream, vendorItems = [] } = record;
    await Promise.all([items.writeUpstream(owner, upstream, vendorItems), records.write(record)]);
  }

  async function createPoll(record: StoredResponse, poll: NewPoll): Promise<void> {
    // At the end of a stream, the response is stored again, with its usage.
    if (!(await jobs.createPoll(record, poll))) return put(record);
    await items.writeUpstream(record.owner, record.upstream, record.vendorItems ?? []);
  }

  async function cancel(owner: string, id: string): Promise<CanceledResponse> {
    const record = await records.read(owner, id);
    if (!record || !isOpen(record)) return { record };
    const canceled: StoredResponse = { ...record, status: 'cancelled' };
    const end = { event: lastEventOf(canceled), webhook: 'response.cancelled' as const };
    const { isDone, admission } = await jobs.endForClient(canceled, { ...end, record: canceled });
    if (isDone) return { record: canceled, admission };
    const now = await records.read(owner, id);
    if (!now || !isOpen(now)) return { record: now };
    await records.flagCanceled(record);
    return { record: canceled };
  }

  return {
    put: (record) => withStoreErrors(() => put(record)),
    createRun: (record, run) => withStoreErrors(() => jobs.createRun(record, run)),
    findRepeated: (owner, repetition) =>
      withStoreErrors(async () => {
        const id = await jobs.findRepeated(owner, repetition);
        return id === undefined ? undefined : records.read(owner, id);
      }),
    createPoll: (record, poll) => withStoreErrors(() => createPoll(record, poll)),
    unknownOf: (record) => withStoreErrors(() => jobs.unknownOf(record)),
    endPoll: ({ owner, id }, end) => withStoreErrors(async () => (await jobs.endForClient({ owner, id }, end)).isDone),
    chargedJob: (record) => ({ due: jobs.dueChargeOf(record), drop: () => jobs.dropForClient(record) }),
    readEvents: (owner, id, after) => withStoreErrors(() => log.read(owner, id, after)),
    get: (owner, id) => withStoreErrors(() => records.read(owner, id)),
    cancel: (owner, id) => withStoreErrors(() => cancel(owner, id)),
    remove: (record) => withStoreErrors(() => jobs.remove(record)),
    chain: (owner, id) => withStoreErrors(() => readConversation((link) => records.read(owner, link), id)),
    item: (owner, itemIds) => withStoreErrors(() => items.read(owner, itemIds)),
    recordItems: (owner, upstream, ids) => withStoreErrors(() => items.writeUpstream(owner, upstream, ids)),
    upstreamsOf: (owner, itemIds) => withStoreErrors(() => items.readUpstreams(owner, itemIds)),
  };
}
