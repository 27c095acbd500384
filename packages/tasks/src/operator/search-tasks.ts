import { GatewayError, isFinal, OPEN_STATUSES, splitAccount, type TaskStatus } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import type { Keyspace } from '../store/keyspace.ts';
import type { TaskRecord } from '../store/task-record.ts';
import type { TaskStore } from '../store/task-store.ts';
import type { TaskSearchPage, TaskSearch } from './task-operator.ts';

/** Number of ids per read. */
const BATCH = 100;
/** Maximum number of records examined per page, so that a search with few matches does not block Redis. */
const MAX_EXAMINED = 2_000;

interface SearchContext {
  redis: Redis;
  keys: Keyspace;
  store: TaskStore;
  now: () => number;
}

/** A position in a group's order. */
export interface Position {
  createdAt: number;
  id: string;
}

/** States that are listed together, sorted by creation time. */
interface Group {
  statuses: readonly TaskStatus[];
  isNewestFirst: boolean;
}

/** Searches the index by state. A task that moves to another group meanwhile may be missed or listed twice. */
export async function searchTasks(context: SearchContext, search: TaskSearch): Promise<TaskSearchPage> {
  const groups = groupsOf(search.status);
  const begin =
    search.after === undefined ? { group: 0, position: undefined } : parseCursor(search.after, groups.length);
  const tasks: TaskRecord[] = [];
  let examined = 0;
  for (const [index, group] of groups.entries()) {
    if (index < begin.group) continue;
    let position = index === begin.group ? begin.position : undefined;
    for (;;) {
      const positions = await nextPositions(context, group, search.olderThanMs, position);
      if (positions.length === 0) break;
      const records = await context.store.loadStates(positions.map(({ id }) => id));
      for (const [i, next] of positions.entries()) {
        position = next;
        examined += 1;
        const record = records[i];
        if (record && group.statuses.includes(record.status) && matches(record, search)) tasks.push(record);
        if (tasks.length === search.limit || examined === MAX_EXAMINED) return { tasks, next: cursorOf(index, next) };
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

function matches(record: TaskRecord, { owner, upstream, model }: TaskSearch): boolean {
  return (
    (owner === undefined || record.ownerId === owner) &&
    (upstream === undefined || record.upstream === upstream || splitAccount(record.upstream).upstream === upstream) &&
    (model === undefined || record.model === model)
  );
}

export async function nextPositions(
  { redis, keys, now }: Pick<SearchContext, 'redis' | 'keys' | 'now'>,
  { statuses, isNewestFirst }: Group,
  olderThanMs: number | undefined,
  after: Position | undefined,
): Promise<Position[]> {
  const oldest = isNewestFirst ? undefined : after?.createdAt;
  const newest = Math.min(
    olderThanMs === undefined ? Infinity : now() - olderThanMs,
    isNewestFirst ? (after?.createdAt ?? Infinity) : Infinity,
  );
  const range = [String(oldest ?? '-inf'), newest === Infinity ? '+inf' : String(newest)] as const;
  const direction = isNewestFirst ? -1 : 1;
  const compare = (one: Position, other: Position) =>
    direction * (one.createdAt - other.createdAt || (one.id < other.id ? -1 : Number(one.id > other.id)));

  async function read(key: string, offset: number) {
    const rows = isNewestFirst
      ? await redis.zrange(key, range[1], range[0], 'BYSCORE', 'REV', 'LIMIT', offset, BATCH, 'WITHSCORES')
      : await redis.zrange(key, range[0], range[1], 'BYSCORE', 'LIMIT', offset, BATCH, 'WITHSCORES');
    const positions: Position[] = [];
    for (let i = 0; i < rows.length; i += 2) positions.push({ id: rows[i] ?? '', createdAt: Number(rows[i + 1]) });
    return positions;
  }
  const lists = await Promise.all(
    statuses.map(async (status) => {
      // Skip positions from the same millisecond that the previous page already returned.
      for (let offset = 0; ; offset += BATCH) {
        const positions = await read(keys.state(status), offset);
        const fresh = after === undefined ? positions : positions.filter((position) => compare(position, after) > 0);
        const isComplete = positions.length < BATCH;
        if (fresh.length > 0 || isComplete) return { fresh, isComplete };
      }
    }),
  );
  // Positions after a state's last read position are unknown, so do not return later positions of other states yet.
  const ends = lists.flatMap(({ fresh, isComplete }) => (isComplete ? [] : fresh.slice(-1)));
  return lists
    .flatMap(({ fresh }) => fresh)
    .filter((position) => ends.every((end) => compare(position, end) <= 0))
    .toSorted(compare);
}

function cursorOf(group: number, { createdAt, id }: Position): string {
  return `${group}.${createdAt}.${id}`;
}

function parseCursor(text: string, groups: number): { group: number; position: Position } {
  const [, group = '', createdAt = '', id = ''] = /^([01])\.(\d{1,15})\.(\w{1,64})$/.exec(text) ?? [];
  if (id === '' || Number(group) >= groups) {
    throw new GatewayError(
      'invalid_request',
      '`after` must be the `next` of an earlier page. Remove it to start at the first page.',
      { param: 'after' },
    );
  }
  return { group: Number(group), position: { createdAt: Number(createdAt), id } };
}
