import type { GroupItem } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import type { GroupKeys } from './group-keys.ts';
import { type ItemState, itemFields, parseItem } from './group-record.ts';

/** A part of a group's items: from one index to before another. */
interface Range {
  id: string;
  from: number;
  end: number;
}

/** Reads the states of items, but not their requests, which are long. */
export async function readStates(redis: Redis, keys: Pick<GroupKeys, 'items'>, range: Range): Promise<ItemState[]> {
  const indexes = indexesOf(range);
  if (indexes.length === 0) return [];
  const names = indexes.flatMap(itemFields);
  const values = await redis.hmget(keys.items(range.id), ...names);
  const size = names.length / indexes.length;
  return indexes.map((index, at) => parseItem(index, values.slice(at * size, (at + 1) * size)));
}

/** Reads items with their requests. */
export async function readItems(redis: Redis, keys: Pick<GroupKeys, 'items'>, range: Range): Promise<GroupItem[]> {
  const states = await readStates(redis, keys, range);
  if (states.length === 0) return [];
  const requests = await redis.hmget(keys.items(range.id), ...indexesOf(range).map((index) => `${index}:request`));
  return states.map((state, at) => Object.assign(state, { fields: parseFields(requests[at]) }));
}

/** Reads the fields that all requests of a group have. */
export async function readShared(redis: Redis, keys: Pick<GroupKeys, 'items'>, id: string): Promise<Fields> {
  return parseFields(await redis.hget(keys.items(id), 'shared'));
}

/** Reads the own fields of a request, and its maximum cost, which is undefined if it is unknown. */
export async function readRequest(
  redis: Redis,
  keys: Pick<GroupKeys, 'items'>,
  id: string,
  index: number,
): Promise<{ fields: Fields; maxNanos: number | undefined }> {
  const [request, max] = await redis.hmget(keys.items(id), `${index}:request`, `${index}:max`);
  return { fields: parseFields(request), maxNanos: max ? Number(max) : undefined };
}

type Fields = Record<string, unknown>;

function parseFields(text: string | null | undefined): Fields {
  return JSON.parse(text ?? '{}') as Fields; // The cast is safe because only this package writes the record.
}

function indexesOf({ from, end }: Range): number[] {
  return Array.from({ length: Math.max(0, end - from) }, (_, offset) => from + offset);
}
