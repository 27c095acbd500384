import { randomBytes as systemRandomBytes } from 'node:crypto';
import {
  type Batch,
  type BatchParams,
  type BatchStatus,
  idempotencyKeyReused,
  isBatchId,
  type RandomBytes,
  sortableDigits,
} from '@sluice/canonical';
import { parseFlatHash } from '@sluice/redis-scripts';
import type { Redis } from 'ioredis';
import {
  batchAtVendor,
  batchEnded,
  batchNotFound,
  batchOpen,
  guarded,
  repeatedBatchNotFound,
  tooManyBatches,
} from './store/batch-errors.ts';
import { createBatchKeys } from './store/batch-keys.ts';
import { newFields, parseBatch, type StoredBatch } from './store/batch-record.ts';
import { defineBatchScripts } from './store/batch-scripts.ts';
import type { BatchSettings } from './store/batch-settings.ts';

export interface BatchListing {
  /** The page starts after the batch with this id, which may have been deleted. */
  after?: string | undefined;
  /** The page ends before the batch with this id. Ignored if `after` is set. */
  before?: string | undefined;
  limit: number;
}

export interface BatchPage {
  /** Newest first. */
  batches: Batch[];
  hasMore: boolean;
}

export interface BatchSearch {
  /** Only batches of this owner. */
  owner?: string | undefined;
  status?: BatchStatus | undefined;
  /** Only batches whose lines all have this model. */
  model?: string | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  limit: number;
}

export interface OwnedBatch extends Batch {
  owner: string;
}

interface FoundBatches {
  /** Newest first. */
  batches: OwnedBatch[];
  /** Absent on the last page. A page before the last one can have fewer batches than the limit. */
  next?: string;
}

export interface BatchChange {
  paused?: boolean | undefined;
  /** From -100 to 100. */
  priority?: number | undefined;
}

/** Identifies a request, so that a client can repeat it for 24 hours. */
interface Repetition {
  /** The client's idempotency key. */
  key: string;
  /** The same key can be used separately for each operation. */
  operation: string;
  /** Hash of the request. */
  digest: string;
}

export interface BatchStats {
  /** Batches that have not ended. */
  open: number;
  /** Lines of started batches without a result. */
  waiting: number;
  /** Batches that have ended, by status. */
  ended: Record<string, number>;
  /** Lines with a result, by how they are counted. */
  lines: Record<string, number>;
}

/**
 * Batches of clients. Every method throws `GatewayError('store_unavailable')` while Redis is unavailable. An owner sees
 * only its own batches: for others, methods throw `GatewayError('batch_not_found')`.
 */
export interface BatchStore {
  /** Records a batch. A worker then validates its input. @throws GatewayError `rate_limited` if too many are open */
  create(owner: string, params: BatchParams): Promise<Batch>;
  /**
   * Records a batch, unless the same request has created one.
   * @throws GatewayError `idempotency_key_reused` if the key was used for another request, and as {@link create}
   */
  createOnce(owner: string, params: BatchParams, repetition: Repetition): Promise<CreatedBatch>;
  find(owner: string, id: string): Promise<Batch>;
  list(owner: string, listing: BatchListing): Promise<BatchPage>;
  /** Cancels a batch. Its lines in flight end first. @throws GatewayError `batch_conflict` if it has ended */
  cancel(owner: string, id: string): Promise<Batch>;
  /** @throws GatewayError `batch_conflict` if the batch has ended, or cannot be paused because its vendor runs it */
  change(owner: string, id: string, change: BatchChange): Promise<Batch>;
  /** Deletes a batch that has ended. Its files stay. @throws GatewayError `batch_conflict` if it has not ended */
  remove(owner: string, id: string): Promise<void>;
  /** Returns a batch of any owner. Undefined if it does not exist. */
  load(id: string): Promise<OwnedBatch | undefined>;
  /** Finds batches of all owners, for operators. */
  search(search: BatchSearch): Promise<FoundBatches>;
  stats(): Promise<BatchStats>;
}

interface CreatedBatch {
  batch: Batch;
  /** Whether an earlier request has created it. */
  isReplayed: boolean;
}

interface BatchStoreOptions {
  redis: Redis;
  /** The value of `redis.prefix` in the configuration. */
  prefix: string;
  settings: BatchSettings;
  now?: () => number;
  randomBytes?: RandomBytes;
}

const REPETITION_MS = 24 * 3_600_000;

export function createBatchStore(options: BatchStoreOptions): BatchStore {
  const { redis, settings, now = Date.now, randomBytes = systemRandomBytes } = options;
  const { root, ...keys } = createBatchKeys(options.prefix);
  defineBatchScripts(redis);

  async function load(id: string): Promise<StoredBatch | undefined> {
    const fields = isBatchId(id) ? await redis.hgetall(keys.batch(id)) : {};
    return fields['id'] === undefined ? undefined : parseBatch(fields);
  }

  async function find(owner: string, id: string): Promise<Batch> {
    const batch = await load(id);
    if (batch?.owner !== owner) throw batchNotFound();
    return batch;
  }

  async function create(owner: string, params: BatchParams, repetition?: Repetition): Promise<CreatedBatch> {
    const at = now();
    const fields = newFields(`batch_${sortableDigits(at, randomBytes)}`, owner, params, at);
    const { key, operation = '', digest = '' } = repetition ?? {};
    const once = [key === undefined ? '' : keys.repetition(owner, operation, key), digest, REPETITION_MS];
    const args = [fields['id'] ?? '', owner, settings.perOwner, ...once, ...Object.entries(fields).flat()];
    const result = await redis.batchesCreate(root, ...args);
    switch (result) {
      case 'created':
        return { batch: parseBatch(fields), isReplayed: false };
      case 'limit':
        throw tooManyBatches(settings.perOwner);
      case 'conflict':
        throw idempotencyKeyReused();
      default: {
        const batch = await load(result);
        if (!batch) throw repeatedBatchNotFound();
        return { batch, isReplayed: true };
      }
    }
  }

  return {
    load: (id) => guarded(() => load(id)),
    find: (owner, id) => guarded(() => find(owner, id)),
    create: (owner, params) => guarded(async () => (await create(owner, params)).batch),
    createOnce: (owner, params, repetition) => guarded(() => create(owner, params, repetition)),
    list: (owner, { after, before, limit }) =>
      guarded(async () => {
        // The page before a batch is read backward from it.
        const isBackward = after === undefined && before !== undefined;
        const listed = await redis.batchesList(root, owner, after ?? before ?? '', isBackward ? '0' : '1', limit + 1);
        const batches = listed.slice(0, limit).map((flat) => parseBatch(parseFlatHash(flat)));
        return { batches: isBackward ? batches.toReversed() : batches, hasMore: listed.length > limit };
      }),
    search: ({ owner = '', status = '', model = '', after = '', limit }) =>
      guarded(async () => {
        const [next, found] = await redis.batchesSearch(root, owner, status, model, after, limit);
        return { batches: found.map((flat) => parseBatch(parseFlatHash(flat))), ...(next !== '' && { next }) };
      }),
    cancel: (owner, id) =>
      guarded(async () => {
        await find(owner, id);
        const result = await redis.batchesCancel(root, id, owner, now(), settings.retentionMs, '');
        if (result === 'ended') throw batchEnded();
        return find(owner, id);
      }),
    change: (owner, id, { paused, priority }) =>
      guarded(async () => {
        await find(owner, id);
        const flag = paused === undefined ? '' : paused ? '1' : '0';
        const result = await redis.batchesChange(root, id, owner, flag, priority ?? '');
        if (result === 'ended') throw batchEnded();
        if (result === 'vendor') throw batchAtVendor();
        return find(owner, id);
      }),
    remove: (owner, id) =>
      guarded(async () => {
        await find(owner, id);
        if ((await redis.batchesRemove(root, id, owner)) === 'open') throw batchOpen();
      }),
    stats: () => guarded(async () => statsOf(await redis.hgetall(keys.stats))),
  };
}

function statsOf(fields: Readonly<Record<string, string>>): BatchStats {
  const group = (prefix: string): Record<string, number> =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, value]) =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), Number(value)]] : [],
      ),
    );
  return {
    open: Number(fields['open'] ?? 0),
    waiting: Number(fields['waiting'] ?? 0),
    ended: group('ended:'),
    lines: group('lines:'),
  };
}
