import { OPEN_STATUSES, TASK_STATUSES, type TaskStatus } from '@sluice/canonical';
import { scriptLoader } from '@sluice/redis-scripts';
import type { Redis } from 'ioredis';
import type { Keyspace } from '../store/keyspace.ts';
import { TASK_SCRIPTS } from '../store/task-scripts.ts';
import type { EndOptions } from '../store/task-store.ts';

const BATCH = 200;

/** A task in these states counts toward its owner's cap. A dispatched `queued` task does too. */
const RUNNING = ['submitting', 'submit_unknown', 'in_progress', 'canceling'] as const satisfies TaskStatus[];

/** A task in these states occupies a slot at its account. A dispatched `queued` task does too. */
const SLOT_STATUSES = { submitting: ['submitting'], in_flight: RUNNING } as const;

const STATUSES = JSON.stringify({ all: TASK_STATUSES, open: OPEN_STATUSES, running: RUNNING });

const load = scriptLoader(new URL('lua/', import.meta.url), ...TASK_SCRIPTS);
const REINDEX = load('reindex');
const DROP_MISSING = load('drop-missing');
const RELEASE_SLOTS = load('release-slots');

export interface ReindexOptions extends EndOptions {
  now: number;
}

/**
 * Rebuilds the index of tasks by state, the owners' sets of open and running tasks, and the accounts' slots. It starts
 * from the indexes of due and expiring tasks, which together contain every task. Tasks may move in the meantime,
 * because each task is corrected in one atomic step. The sweeper dispatches tasks to slots that become free.
 */
export async function reindex(redis: Redis, keys: Keyspace, { now, ...ending }: ReindexOptions): Promise<number> {
  let total = 0;
  const known = [keys.due, keys.expiring];
  for (const key of [...known, ...TASK_STATUSES.map((status) => keys.state(status))]) {
    const ids = await redis.zrange(key, '0', '-1');
    for (let from = 0; from < ids.length; from += BATCH) {
      const records = await redis.eval(
        REINDEX,
        1,
        key,
        keys.prefix,
        now,
        JSON.stringify(ending),
        STATUSES,
        ...ids.slice(from, from + BATCH),
      );
      if (known.includes(key)) total += Number(records);
    }
  }
  for (const name of ['open', 'running']) {
    await eachSet(redis, keys, name, (set, _owner, ids) => redis.eval(DROP_MISSING, 1, set, keys.prefix, ...ids));
  }
  for (const [name, statuses] of Object.entries(SLOT_STATUSES)) {
    await eachSet(redis, keys, name, (set, account, ids) =>
      redis.eval(RELEASE_SLOTS, 1, set, keys.prefix, account, statuses.join(','), ...ids),
    );
  }
  return total;
}

/** Iterates over all sets with a common prefix (one set per owner or account) and passes their ids on in batches. */
async function eachSet(
  redis: Redis,
  { prefix }: Keyspace,
  name: string,
  visit: (set: string, suffix: string, ids: string[]) => Promise<unknown>,
): Promise<void> {
  const start = `${prefix}${name}:`;
  // The stream's type does not declare the type of its elements.
  const batches: AsyncIterable<string[]> = redis.scanStream({ match: `${escapeGlob(start)}*`, count: 1_000 });
  for await (const sets of batches) {
    for (const set of sets) {
      const ids = await redis.smembers(set);
      for (let from = 0; from < ids.length; from += BATCH) {
        await visit(set, set.slice(start.length), ids.slice(from, from + BATCH));
      }
    }
  }
}

function escapeGlob(name: string): string {
  return name.replaceAll(/[\\*?[\]^]/g, String.raw`\$&`);
}
