import type { MediaTask } from '@sluice/canonical';
import type { EngineContext } from './engine-context.ts';
import { exists } from './find-task.ts';
import { MAX_EXAMINED, matchesFilter, smallestIndex } from './task-filter.ts';
import type { TaskListing, TaskPage } from './task-requests.ts';

/** Number of ids to read at once with a filter, because only some of them may match. */
const FILTERED_BATCH = 100;

export async function listTasks(
  context: EngineContext,
  ownerId: string,
  { kind, after, limit, order, filter }: TaskListing,
): Promise<TaskPage> {
  const { redis, keys, store, now } = context;
  if (after !== undefined && !after.startsWith(`${kind}_`)) return { tasks: [] };
  const key = filter ? await smallestIndex(context, ownerId, filter) : keys.owner(ownerId);
  const batch = filter ? FILTERED_BATCH : limit + 1;
  // All scores are equal, so Redis sorts the set by id, that is, by kind and then by creation time.
  const [first, last] = [`[${kind}_`, `(${kind}\x60`]; // `\x60` is the character after `_`.
  const tasks: MediaTask[] = [];
  let cursor = after;
  for (let examined = 0; ;) {
    const ids =
      order === 'asc'
        ? await redis.zrange(key, cursor ? `(${cursor}` : first, last, 'BYLEX', 'LIMIT', 0, batch)
        : await redis.zrange(key, cursor ? `(${cursor}` : last, first, 'BYLEX', 'REV', 'LIMIT', 0, batch);
    const records = await store.loadMany(ids);
    tasks.push(...records.filter((task) => exists(task, now()) && (!filter || matchesFilter(task, filter))));
    if (tasks.length > limit) {
      const page = tasks.slice(0, limit);
      return { tasks: page, next: page.at(-1)?.id };
    }
    if (ids.length < batch) return { tasks };
    cursor = ids.at(-1);
    examined += ids.length;
    if (examined >= MAX_EXAMINED) return { tasks, next: cursor };
  }
}
