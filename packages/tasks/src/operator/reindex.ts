import { OPEN_STATUSES, TASK_STATUSES, type TaskStatus } from '@sluice/canonical';
import { scriptLoader } from '@sluice/redis-scripts';
import type { Redis } from 'ioredis';
import type { Keyspace } from '../store/keyspace.ts';
import { TASK_SCRIPTS } from '../store/task-scripts.ts';

const BATCH = 200;

/** Statuses in which a task counts against its owner's cap, beside a dispatched one that is queued. */
const RUNNING = ['submitting', 'submit_unknown', 'in_progress', 'canceling'] as const satisfies TaskStatus[];

/** Statuses in which a task holds a slot at its account, of submissions and of all, beside a dispatched one. */
const HOLDING = { submitting: ['submitting'], in_flight: RUNNING } as const;

const STATUSES = JSON.stringify({ all: TASK_STATUSES, open: OPEN_STATUSES, running: RUNNING });

const load = scriptLoader(new URL('lua/', import.meta.url), ...TASK_SCRIPTS);
const REINDEX = load('reindex');
const DROP_MISSING = load('drop-missing');
const RELEASE_SLOTS = load('release-slots');

export interface EndingRules {
  /** Unix milliseconds. */
  now: number;
  /** Retention of final tasks, milliseconds. */
  retentionMs: number;
}

/**
 * Rebuilds the index of tasks by state, the sets of owners' open and running tasks, and the slots of accounts. Every
 * open task is in the index of due tasks and every final one in the index of expiring ones, so nothing else has to be
 * searched. Tasks may move meanwhile, because each is corrected in one step. The sweeper dispatches tasks whose slots
 * become free.
 */
export async function reindex(redis: Redis, keys: Keyspace, { now, retentionMs }: EndingRules): Promise<number> {
  let found = 0;
  const known = [keys.due, keys.expiring];
  for (const key of [...known, ...TASK_STATUSES.map((status) => keys.state(status))]) {
    const ids = await redis.zrange(key, '0', '-1');
    for (let from = 0; from < ids.length; from += BATCH) {
      const put = await redis.eval(
        REINDEX,
        1,
        key,
        keys.prefix,
        now,
        retentionMs,
        STATUSES,
        ...ids.slice(from, from + BATCH),
      );
      if (known.includes(key)) found += Number(put);
    }
  }
  for (const name of ['open', 'running']) {
    await eachSet(redis, keys, name, (set, _owner, ids) => redis.eval(DROP_MISSING, 1, set, keys.prefix, ...ids));
  }
  for (const [name, statuses] of Object.entries(HOLDING)) {
    await eachSet(redis, keys, name, (set, account, ids) =>
      redis.eval(RELEASE_SLOTS, 1, set, keys.prefix, account, statuses.join(','), ...ids),
    );
  }
  return found;
}

/** Visits the sets with a common name, one for each owner or account, with their ids in batches. */
async function eachSet(
  redis: Redis,
  { prefix }: Keyspace,
  name: string,
  visit: (set: string, whose: string, ids: string[]) => Promise<unknown>,
): Promise<void> {
  const start = `${prefix}${name}:`;
  // The stream's type does not declare its elements.
  const batches: AsyncIterable<string[]> = redis.scanStream({ match: `${globbed(start)}*`, count: 1_000 });
  for await (const sets of batches) {
    for (const set of sets) {
      const ids = await redis.smembers(set);
      for (let from = 0; from < ids.length; from += BATCH) {
        await visit(set, set.slice(start.length), ids.slice(from, from + BATCH));
      }
    }
  }
}

/** Escapes a name for Redis patterns. */
function globbed(name: string): string {
  return name.replaceAll(/[\\*?[\]^]/g, String.raw`\$&`);
}
