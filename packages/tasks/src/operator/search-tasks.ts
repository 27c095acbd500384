import { GatewayError, isFinal, OPEN_STATUSES, type TaskStatus } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import type { Keyspace } from '../store/keyspace.ts';
import type { TaskRecord } from '../store/task-record.ts';
import type { TaskStore } from '../store/task-store.ts';
import type { FoundTasks, TaskSearch } from './task-operator.ts';

/** Ids per read. */
const BATCH = 100;
/** Records examined for one page: a rare match must not block Redis or the caller. */
const MAX_LOOKED_AT = 2_000;

interface SearchContext {
  redis: Redis;
  keys: Keyspace;
  store: TaskStore;
  now: () => number;
}

/** A task's position in the order of its group. */
interface Place {
  createdAt: number;
  id: string;
}

/** States that are listed together, in the order of creation. */
interface Group {
  statuses: readonly TaskStatus[];
  isNewestFirst: boolean;
}

/**
 * Walks the index of tasks by state, group after group, and returns matching tasks. A task that changes its group
 * meanwhile may be missed or listed twice.
 */
export async function searchTasks(context: SearchContext, search: TaskSearch): Promise<FoundTasks> {
  const groups = groupsOf(search.status);
  const begin = search.after === undefined ? { group: 0, place: undefined } : parseCursor(search.after, groups.length);
  const tasks: TaskRecord[] = [];
  let looked = 0;
  for (const [index, group] of groups.entries()) {
    if (index < begin.group) continue;
    let place = index === begin.group ? begin.place : undefined;
    for (;;) {
      const places = await nextPlaces(context, group, search.olderThanMs, place);
      if (places.length === 0) break;
      const records = await context.store.loadStates(places.map(({ id }) => id));
      for (const [i, next] of places.entries()) {
        place = next;
        looked += 1;
        const record = records[i];
        if (record && group.statuses.includes(record.status) && fits(record, search)) tasks.push(record);
        if (tasks.length === search.limit || looked === MAX_LOOKED_AT) return { tasks, next: cursorOf(index, next) };
      }
    }
  }
  return { tasks };
}

function groupsOf(status: TaskStatus | undefined): readonly Group[] {
  if (status !== undefined) return [{ statuses: [status], isNewestFirst: isFinal(status) }];
  return [
    { statuses: ['submit_unknown'], isNewestFirst: false },
    { statuses: OPEN_STATUSES.filter((open) => open !== 'submit_unknown'), isNewestFirst: false },
  ];
}

function fits(record: TaskRecord, { owner, upstream, model }: TaskSearch): boolean {
  return (
    (owner === undefined || record.ownerId === owner) &&
    (upstream === undefined || record.upstream === upstream) &&
    (model === undefined || record.model === model)
  );
}

/** Returns the next positions of a group in order; empty at its end. */
async function nextPlaces(
  { redis, keys, now }: SearchContext,
  { statuses, isNewestFirst }: Group,
  olderThanMs: number | undefined,
  after: Place | undefined,
): Promise<Place[]> {
  const oldest = isNewestFirst ? undefined : after?.createdAt;
  const newest = Math.min(
    olderThanMs === undefined ? Infinity : now() - olderThanMs,
    isNewestFirst ? (after?.createdAt ?? Infinity) : Infinity,
  );
  const range = [String(oldest ?? '-inf'), newest === Infinity ? '+inf' : String(newest)] as const;
  const direction = isNewestFirst ? -1 : 1;
  const compare = (one: Place, other: Place) =>
    direction * (one.createdAt - other.createdAt || (one.id < other.id ? -1 : Number(one.id > other.id)));

  async function read(key: string, offset: number) {
    const rows = isNewestFirst
      ? await redis.zrange(key, range[1], range[0], 'BYSCORE', 'REV', 'LIMIT', offset, BATCH, 'WITHSCORES')
      : await redis.zrange(key, range[0], range[1], 'BYSCORE', 'LIMIT', offset, BATCH, 'WITHSCORES');
    const places: Place[] = [];
    for (let i = 0; i < rows.length; i += 2) places.push({ id: rows[i] ?? '', createdAt: Number(rows[i + 1]) });
    return places;
  }
  const lists = await Promise.all(
    statuses.map(async (status) => {
      // Skip positions of the same millisecond that were returned before.
      for (let offset = 0; ; offset += BATCH) {
        const places = await read(keys.state(status), offset);
        const fresh = after === undefined ? places : places.filter((place) => compare(place, after) > 0);
        const isComplete = places.length < BATCH;
        if (fresh.length > 0 || isComplete) return { fresh, isComplete };
      }
    }),
  );
  // Positions after the last one that was read of a state are unknown, so later ones must not be returned yet.
  const ends = lists.flatMap(({ fresh, isComplete }) => (isComplete ? [] : fresh.slice(-1)));
  return lists
    .flatMap(({ fresh }) => fresh)
    .filter((place) => ends.every((end) => compare(place, end) <= 0))
    .toSorted(compare);
}

function cursorOf(group: number, { createdAt, id }: Place): string {
  return `${group}.${createdAt}.${id}`;
}

function parseCursor(text: string, groups: number): { group: number; place: Place } {
  const [, group = '', createdAt = '', id = ''] = /^([01])\.(\d{1,15})\.(\w{1,64})$/.exec(text) ?? [];
  if (id === '' || Number(group) >= groups) {
    throw new GatewayError(
      'invalid_request',
      '`after` must be the `next` of an earlier page. Leave it out to start from the beginning.',
      {
        param: 'after',
      },
    );
  }
  return { group: Number(group), place: { createdAt: Number(createdAt), id } };
}
