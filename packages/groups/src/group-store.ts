import { randomBytes as systemRandomBytes } from 'node:crypto';
import {
  idempotencyKeyReused,
  type GroupItem,
  type GroupStatus,
  isGroupId,
  type RandomBytes,
  sortableDigits,
  type VideoGroup,
} from '@sluice/canonical';
import { formatUsd } from '@sluice/limits';
import { parseFlatHash } from '@sluice/redis-scripts';
import type { Redis } from 'ioredis';
import { groupConflict, groupNotFound, guarded, quotaReached, tooManyGroups } from './store/group-errors.ts';
import { createGroupKeys, type GroupKeys } from './store/group-keys.ts';
import { parseGroup, type StoredGroup } from './store/group-record.ts';
import { defineGroupScripts } from './store/group-scripts.ts';
import type { GroupSettings } from './store/group-settings.ts';
import { readItems } from './store/read-items.ts';

/** A valid request for a group. */
export interface GroupParams {
  /** Fields that all requests have. */
  shared: Record<string, unknown>;
  /** At least one. */
  items: readonly {
    fields: Record<string, unknown>;
    /** Maximum cost in nano-dollars. Absent if it is unknown. */
    maxNanos?: number | undefined;
  }[];
  /** The headers with which each request is sent. */
  headers: Record<string, string>;
  maxCostNanos?: number | undefined;
  /** Called when all videos have ended, in addition to the owner's registered webhooks. */
  callbackUrl?: string | undefined;
  /** Hexadecimal SHA-256 of the request, used to detect repeated requests. */
  digest: string;
  idempotencyKey?: string | undefined;
}

export interface GroupListing {
  /** The page starts after the group with this id, which may have been deleted. */
  after?: string | undefined;
  limit: number;
}

export interface GroupSearch {
  /** Only groups of this owner. */
  owner?: string | undefined;
  status?: GroupStatus | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  limit: number;
}

export interface OwnedGroup extends VideoGroup {
  owner: string;
}

interface FoundGroups {
  /** Newest first. */
  groups: OwnedGroup[];
  /** Absent on the last page. A page before the last one can have fewer groups than the limit. */
  next?: string;
}

/**
 * Groups of videos. Every method throws `GatewayError('store_unavailable')` while Redis is unavailable. An owner sees
 * only its own groups: for others, methods throw `GatewayError('batch_not_found')`.
 */
export interface GroupStore {
  /**
   * Records a group. Workers then create its tasks.
   * @throws GatewayError `rate_limited` if too many are open; `storage_quota_exceeded` if their requests are too long;
   * `idempotency_key_reused` for the same key with another request
   */
  create(owner: string, params: GroupParams): Promise<{ group: VideoGroup; replayed: boolean }>;
  find(owner: string, id: string): Promise<VideoGroup>;
  /** Reads items of a group from an index on. The caller has checked the owner. */
  items(id: string, from: number, limit: number): Promise<{ items: GroupItem[]; hasMore: boolean }>;
  /** Newest first. */
  list(owner: string, listing: GroupListing): Promise<{ groups: VideoGroup[]; hasMore: boolean }>;
  /** Finds groups of all owners, for operators. */
  search(search: GroupSearch): Promise<FoundGroups>;
  /** Returns a group of any owner. @throws GatewayError `batch_not_found` */
  load(id: string): Promise<OwnedGroup>;
  /** Cancels all videos that have not ended. @throws GatewayError `batch_conflict` if the group has ended */
  cancel(owner: string, id: string): Promise<VideoGroup>;
  /**
   * Creates failed videos again.
   * @param retriesUnknown whether to retry videos that the vendor may have received
   * @throws GatewayError `batch_conflict` if there is none, or the group was canceled; `invalid_request` if the group
   * would cost more than its maximum
   */
  retry(owner: string, id: string, retriesUnknown: boolean): Promise<VideoGroup>;
  /** Deletes a group that has ended, but not its videos. @throws GatewayError `batch_conflict` if it has not ended */
  remove(owner: string, id: string): Promise<void>;
}

interface GroupStoreOptions {
  redis: Redis;
  /** The value of `redis.prefix` in the configuration. */
  prefix: string;
  settings: GroupSettings;
  now?: () => number;
  randomBytes?: RandomBytes;
}

const IDEMPOTENCY_LIFE_MS = 24 * 3_600_000;
/** Maximum bytes of the requests in all groups of an owner, including those that have ended. */
const MAX_OWNER_BYTES = 64 * 2 ** 20;

interface StoreContext {
  redis: Redis;
  keys: GroupKeys;
  settings: GroupSettings;
  now: () => number;
  randomBytes: RandomBytes;
}

export function createGroupStore(options: GroupStoreOptions): GroupStore {
  const { redis, settings, now = Date.now, randomBytes = systemRandomBytes } = options;
  const keys = createGroupKeys(options.prefix);
  const { root } = keys;
  defineGroupScripts(redis);
  const context: StoreContext = { redis, keys, settings, now, randomBytes };
  const find = (owner: string, id: string) => findGroup(context, owner, id);

  return {
    create: (owner, params) => guarded(() => createGroup(context, owner, params)),
    find: (owner, id) => guarded(() => find(owner, id)),
    items: (id, from, limit) =>
      guarded(async () => {
        const total = Number((await redis.hget(keys.group(id), 'total')) ?? 0);
        const end = Math.min(from + limit, total);
        const items = await readItems(redis, keys, { id, from, end });
        return { items, hasMore: end < total };
      }),
    list: (owner, { after = '', limit }) =>
      guarded(async () => {
        const listed = await redis.groupsList(root, owner, after, limit + 1);
        const groups = listed.slice(0, limit).map((flat) => parseGroup(parseFlatHash(flat)));
        return { groups, hasMore: listed.length > limit };
      }),
    search: ({ owner = '', status = '', after = '', limit }) =>
      guarded(async () => {
        const [next, found] = await redis.groupsSearch(root, owner, status, after, limit);
        return { groups: found.map((flat) => parseGroup(parseFlatHash(flat))), ...(next !== '' && { next }) };
      }),
    load: (id) => guarded(() => loadGroup(context, id)),
    cancel: (owner, id) =>
      guarded(async () => {
        await find(owner, id);
        const result = await redis.groupsCancel(root, id, owner, now(), settings.retentionMs);
        if (result === 'ended') throw groupConflict('The group has already ended, so it cannot be canceled.');
        return find(owner, id);
      }),
    retry: (owner, id, retriesUnknown) => guarded(() => retryGroup(context, owner, id, retriesUnknown)),
    remove: (owner, id) =>
      guarded(async () => {
        await find(owner, id);
        if ((await redis.groupsRemove(root, id, owner)) === 'open') {
          throw groupConflict('The group has not ended. Cancel it, and delete it when it has ended.');
        }
      }),
  };
}

async function loadGroup({ redis, keys }: StoreContext, id: string): Promise<StoredGroup> {
  const fields = isGroupId(id) ? await redis.hgetall(keys.group(id)) : {};
  if (fields['owner'] === undefined) throw groupNotFound();
  return parseGroup(fields);
}

async function findGroup(context: StoreContext, owner: string, id: string): Promise<StoredGroup> {
  const group = await loadGroup(context, id);
  if (group.owner !== owner) throw groupNotFound();
  return group;
}

async function createGroup(context: StoreContext, owner: string, params: GroupParams) {
  const { redis, keys, settings, now, randomBytes } = context;
  const at = now();
  const newId = `group_${sortableDigits(at, randomBytes)}`;
  const record = Object.entries(recordOf(newId, owner, params, at)).flat();
  const { idempotencyKey, digest } = params;
  const key = idempotencyKey === undefined ? '' : keys.idempotency(owner, idempotencyKey);
  const shared = JSON.stringify(params.shared);
  const items = params.items.flatMap(({ fields, maxNanos = '' }) => [JSON.stringify(fields), maxNanos]);
  const limits = [settings.perOwner, MAX_OWNER_BYTES, key, digest, IDEMPOTENCY_LIFE_MS];
  const args = [...limits, shared, record.length, ...record, ...items];
  const [result, id = ''] = await redis.groupsCreate(keys.root, newId, owner, at, ...args);
  if (result === 'limit') throw tooManyGroups(settings.perOwner);
  if (result === 'quota') throw quotaReached(MAX_OWNER_BYTES);
  if (result === 'conflict') throw idempotencyKeyReused();
  return { group: await findGroup(context, owner, id), replayed: result === 'replay' };
}

async function retryGroup(
  context: StoreContext,
  owner: string,
  id: string,
  retriesUnknown: boolean,
): Promise<VideoGroup> {
  const { redis, keys, settings, now } = context;
  const { maxCostNanos = 0 } = await findGroup(context, owner, id);
  const flag = retriesUnknown ? '1' : '0';
  const [result, nanos] = await redis.groupsRetry(keys.root, id, owner, now(), flag, settings.perOwner);
  switch (result) {
    case 'missing':
      throw groupNotFound();
    case 'cancelled':
      throw groupConflict('The group was canceled, so its videos cannot be retried. Create a new group.');
    case 'nothing':
      throw groupConflict(
        'The group has no video to retry. A video whose submission is unknown needs `retry_unknown: true`.',
      );
    case 'limit':
      throw tooManyGroups(settings.perOwner);
    case 'cost': {
      const cost = formatUsd(Number(nanos));
      const what = `With this retry, the group may cost ${cost}, but max_cost_usd allows ${formatUsd(maxCostNanos)}.`;
      throw groupConflict(`${what} Create a new group for the failed videos.`);
    }
    case 'retried':
      return findGroup(context, owner, id);
  }
}

function recordOf(id: string, owner: string, params: GroupParams, at: number): Record<string, string | number> {
  const { items, headers, maxCostNanos = '', callbackUrl = '' } = params;
  const isPriced = items.every(({ maxNanos }) => maxNanos !== undefined);
  return {
    id,
    owner,
    status: 'in_progress',
    round: 0,
    createdAt: at,
    costNanos: 0,
    estimatedNanos: isPriced ? items.reduce((sum, { maxNanos = 0 }) => sum + maxNanos, 0) : '',
    maxCostNanos,
    callbackUrl,
    headers: JSON.stringify(headers),
  };
}
