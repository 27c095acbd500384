import type { MediaTask, TaskStatus } from '@sluice/canonical';
import type { Keyspace } from '../store/keyspace.ts';
import type { EngineContext } from './engine-context.ts';

/** Maximum number of records read per page, so that a search with few matches does not block Redis. */
export const MAX_EXAMINED = 1_000;

/** Tasks must match every member that is present. */
export interface TaskFilter {
  user?: string | undefined;
  labels?: Readonly<Record<string, string>> | undefined;
  statuses?: readonly TaskStatus[] | undefined;
}

export function matchesFilter(task: MediaTask, { user, labels = {}, statuses }: TaskFilter): boolean {
  return (
    (user === undefined || task.user === user) &&
    (statuses === undefined || statuses.includes(task.status)) &&
    Object.entries(labels).every(([name, value]) => task.labels?.[name] === value)
  );
}

/** Returns the hashes of the indexes that contain a task with this user and these labels. */
export function tagsOf(
  keys: Pick<Keyspace, 'tagHash'>,
  ownerId: string,
  { user, labels = {} }: Pick<TaskFilter, 'user' | 'labels'>,
): string[] {
  return [
    ...(user === undefined ? [] : [keys.tagHash(ownerId, 'user', user)]),
    ...Object.entries(labels).map(([name, value]) => keys.tagHash(ownerId, 'label', name, value)),
  ];
}

/** Returns the key of the smallest index that contains all matching tasks of an owner. */
export async function smallestIndex(
  { redis, keys }: Pick<EngineContext, 'redis' | 'keys'>,
  ownerId: string,
  filter: TaskFilter,
): Promise<string> {
  const [first, ...rest] = tagsOf(keys, ownerId, filter).map((hash) => keys.tag(hash));
  if (first === undefined) return keys.owner(ownerId);
  if (rest.length === 0) return first;
  const sizes = await Promise.all([first, ...rest].map(async (key) => ({ key, size: await redis.zcard(key) })));
  return sizes.reduce((one, other) => (other.size < one.size ? other : one)).key;
}
