import type { MediaTask } from '@sluice/canonical';
import type { EngineContext } from './engine-context.ts';
import { exists } from './find-task.ts';
import type { TaskListing, TaskPage } from './task-requests.ts';

export async function listTasks(
  { redis, keys, store, now }: EngineContext,
  ownerId: string,
  { kind, after, limit, order }: TaskListing,
): Promise<TaskPage> {
  const key = keys.owner(ownerId);
  if (after !== undefined && !after.startsWith(`${kind}_`)) return { tasks: [], hasMore: false };
  // All scores are equal, so Redis sorts the set by id, that is, by kind and then by creation time.
  const [first, last] = [`[${kind}_`, `(${kind}\x60`]; // `\x60` is the character after `_`.
  const tasks: MediaTask[] = [];
  let cursor = after;
  for (;;) {
    const ids =
      order === 'asc'
        ? await redis.zrange(key, cursor ? `(${cursor}` : first, last, 'BYLEX', 'LIMIT', 0, limit + 1)
        : await redis.zrange(key, cursor ? `(${cursor}` : last, first, 'BYLEX', 'REV', 'LIMIT', 0, limit + 1);
    tasks.push(...(await store.loadMany(ids)).filter((task) => exists(task, now())));
    cursor = ids.at(-1);
    if (tasks.length > limit || ids.length <= limit) break;
  }
  return { tasks: tasks.slice(0, limit), hasMore: tasks.length > limit };
}
