import { GatewayError } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import { packJson, unpackJson } from './packed-json.ts';
import { type RunningResponse, runResponse } from './running-response.ts';
import { withStoreErrors } from './store-errors.ts';
import { isOpen, type StoredResponse } from './stored-response.ts';
import type { TextKeys } from '../../generation/text-keys.ts';

/** Keeps answers of the responses protocol. Everything throws `store_unavailable` quickly while Redis is away. */
export interface ResponseStore {
  /** Keeps an answer, and its output items for {@link item}. */
  put(record: StoredResponse): Promise<void>;
  /**
   * Notes that what an answer has used beyond what was charged for it is being charged now.
   * @returns whether this is the first time that it is asked for: whoever is told `true` charges it
   */
  takeCharge(record: Pick<StoredResponse, 'owner' | 'id'>): Promise<boolean>;
  /**
   * Keeps an open answer that this process makes, and says that it lives until it is told to be finished. When the
   * process dies the answer is seen as failed.
   */
  markInProgress(record: StoredResponse): Promise<RunningResponse>;
  /** Undefined when there is none, or it is another's. */
  get(owner: string, id: string): Promise<StoredResponse | undefined>;
  /** Ends an open answer, wherever it is made. @returns the answer as it then is; a final one stays as it is */
  cancel(owner: string, id: string): Promise<StoredResponse | undefined>;
  /** @returns whether there was one */
  remove(owner: string, id: string): Promise<boolean>;
  /**
   * All items of a conversation up to an answer, oldest first: input and output of it and of whatever it goes on from.
   * @throws GatewayError `previous_response_not_found` when a link is missing, `invalid_request` when one is still open
   *   or there are more than 200
   */
  chain(owner: string, id: string): Promise<Record<string, unknown>[]>;
  /** Output items of kept answers by id; those that are not known are left out. */
  item(owner: string, itemIds: readonly string[]): Promise<Map<string, unknown>>;
  /** Notes whose items are that an upstream keeps; those of an answer are noted with it. */
  recordItems(owner: string, upstream: string, itemIds: readonly string[]): Promise<void>;
  /** The upstreams that keep items, by the items' ids; those that are not known as the owner's are left out. */
  upstreamsOf(owner: string, itemIds: readonly string[]): Promise<Map<string, string>>;
}

/** How a {@link ResponseStore} keeps. */
export interface ResponseStoreSettings {
  /** How long an answer is kept, milliseconds. */
  retentionMs: number;
  /** How often a process says that it still makes an answer, milliseconds; three in a row may go missing. Default 10 s. */
  heartbeatMs?: number;
}

const MAX_LINKS = 200;
const PARAM = 'previous_response_id';

/** A {@link ResponseStore} in Redis. */
export function createResponseStore(redis: Redis, keys: TextKeys, settings: ResponseStoreSettings): ResponseStore {
  const { retentionMs, heartbeatMs = 10_000 } = settings;

  async function write(record: StoredResponse, onlyOver?: 'XX'): Promise<void> {
    const { owner, id } = record;
    const items = isOpen(record) ? [] : record.outputItems.filter(hasId);
    const [body, ...packed] = await Promise.all([packJson(record), ...items.map(packJson)]);
    const key = keys.response(owner, id);
    const kept = await (onlyOver
      ? redis.set(key, body, 'PX', retentionMs, 'XX')
      : redis.set(key, body, 'PX', retentionMs));
    if (kept === null) return;
    await Promise.all(
      items.map((item, index) => redis.set(keys.item(owner, item.id), packed[index] ?? '', 'PX', retentionMs)),
    );
  }

  /** The connection pipelines what is written in one tick. */
  async function writeItemUpstreams(owner: string, upstream: string, itemIds: readonly string[]): Promise<void> {
    await Promise.all(itemIds.map((id) => redis.set(keys.itemUpstream(owner, id), upstream, 'PX', retentionMs)));
  }

  async function read(owner: string, id: string): Promise<StoredResponse | undefined> {
    const [body, alive, canceled] = await redis.mgetBuffer(
      keys.response(owner, id),
      keys.alive(owner, id),
      keys.canceled(owner, id),
    );
    if (!body) return undefined;
    const record = (await unpackJson(body)) as StoredResponse; // written above
    if (!isOpen(record)) return record;
    if (canceled) return { ...record, status: 'cancelled' };
    if (alive) return record;
    const error = { code: 'server_error', message: 'The process that made this response has died. Ask again.' };
    return { ...record, status: 'failed', error };
  }

  return {
    put: (record) =>
      withStoreErrors(async () => {
        const { owner, upstream, vendorItems = [] } = record;
        await Promise.all([writeItemUpstreams(owner, upstream, vendorItems), write(record)]);
      }),

    // Beside the record, whose time of keeping and whose other writers it leaves alone.
    takeCharge: ({ owner, id }) =>
      withStoreErrors(async () => (await redis.set(keys.paid(owner, id), '1', 'PX', retentionMs, 'NX')) !== null),

    markInProgress: (record) =>
      withStoreErrors(async () => {
        const running = runResponse(redis, keys, record, { heartbeatMs, finish: (final) => write(final, 'XX') });
        try {
          await Promise.all([write(record), running.beat()]);
        } catch (error) {
          running.stop();
          throw error;
        }
        return running;
      }),

    get: (owner, id) => withStoreErrors(() => read(owner, id)),

    cancel: (owner, id) =>
      withStoreErrors(async () => {
        const record = await read(owner, id);
        if (!record || !isOpen(record)) return record;
        // The record is written by the process that makes it alone; this is what that one and all readers look at.
        await redis.set(keys.canceled(owner, id), '1', 'PX', retentionMs);
        return { ...record, status: 'cancelled' };
      }),

    remove: (owner, id) =>
      withStoreErrors(async () => {
        const record = await read(owner, id);
        if (!record) return false;
        if (isOpen(record)) await redis.set(keys.canceled(owner, id), '1', 'PX', retentionMs);
        const items = record.outputItems.filter(hasId).map((item) => keys.item(owner, item.id));
        const itemUpstream = (record.vendorItems ?? []).map((itemId) => keys.itemUpstream(owner, itemId));
        await redis.del(keys.response(owner, id), ...items, ...itemUpstream);
        return true;
      }),

    chain: (owner, id) =>
      withStoreErrors(async () => {
        const links: Record<string, unknown>[][] = [];
        let next: string | undefined = id;
        while (next !== undefined) {
          if (links.length === MAX_LINKS) throw tooLong();
          const record: StoredResponse | undefined = await read(owner, next);
          if (!record) throw notFound(next);
          if (isOpen(record)) throw stillOpen(next);
          links.push([...record.inputItems, ...record.outputItems]);
          next = record.previousId;
        }
        return links.toReversed().flat();
      }),

    item: (owner, itemIds) =>
      withStoreErrors(async () => {
        const asked = [...new Set(itemIds)];
        if (asked.length === 0) return new Map();
        const found = await redis.mgetBuffer(asked.map((id) => keys.item(owner, id)));
        const known = asked.flatMap((id, index) => {
          const packed = found[index];
          return packed ? [unpackJson(packed).then((item): [string, unknown] => [id, item])] : [];
        });
        return new Map(await Promise.all(known));
      }),

    recordItems: (owner, upstream, itemIds) => withStoreErrors(() => writeItemUpstreams(owner, upstream, itemIds)),

    upstreamsOf: (owner, itemIds) =>
      withStoreErrors(async () => {
        const asked = [...new Set(itemIds)];
        if (asked.length === 0) return new Map();
        const found = await redis.mget(asked.map((id) => keys.itemUpstream(owner, id)));
        const known = asked.flatMap((id, index): [string, string][] => {
          const upstream = found[index];
          return typeof upstream === 'string' ? [[id, upstream]] : [];
        });
        return new Map(known);
      }),
  };
}

function hasId(item: unknown): item is { id: string } {
  return typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string' && item.id !== '';
}

function notFound(id: string): GatewayError {
  const shown = id.slice(0, 80);
  return new GatewayError('previous_response_not_found', `Previous response with id '${shown}' not found.`, {
    param: PARAM,
  });
}

function stillOpen(id: string): GatewayError {
  return new GatewayError(
    'invalid_request',
    `Response '${id}' is still in progress. Go on from it when it has ended.`,
    {
      param: PARAM,
    },
  );
}

function tooLong(): GatewayError {
  return new GatewayError(
    'invalid_request',
    `The conversation has more than ${MAX_LINKS} responses. Compact it, and go on from the result.`,
    { param: PARAM },
  );
}
