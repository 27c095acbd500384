import { OPEN_STATUSES, TASK_STATUSES, type TaskStatus } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import { END_TASK_LUA } from '../store/end-task-lua.ts';
import type { Keyspace } from '../store/keyspace.ts';

const BATCH = 200;

/** Statuses in which a task holds one of its owner's places, or does when it was let out. */
const OUT = ['submitting', 'submit_unknown', 'in_progress', 'canceling'] as const satisfies TaskStatus[];

/**
 * Puts each task of a batch where its record says, among its owner's too, and ends those whole that were left half ended:
 * with a final state, but neither paid nor told. ARGV: prefix, now, how long final tasks are kept, then ids. Answers how
 * many records there are; one that comes to stand among those that expire is counted there.
 */
const SCRIPT = `
local prefix, now, retentionMs, found = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), 0
${END_TASK_LUA}
local function endWhole(id)
  local task, flat = {}, redis.call('HGETALL', prefix .. 'task:' .. id)
  for field = 1, #flat, 2 do task[flat[field]] = flat[field + 1] end
  local isListed = redis.call('ZSCORE', prefix .. 'expiring', id)
  local before = task.acceptedAt and 'canceling' or 'queued'
  endTask(task, task.heldNanos and costOf(task, {}, task.status, before), retentionMs)
  if not isListed then found = found - 1 end
end

local isOpen, isOut = {${marks(OPEN_STATUSES)}}, {${marks(OUT)}}
for i = 4, #ARGV do
  local task = redis.call('HMGET', prefix .. 'task:' .. ARGV[i],
    'status', 'createdAt', 'ownerId', 'dispatched', 'completedAt')
  for _, status in ipairs({${TASK_STATUSES.map((status) => `'${status}'`).join(', ')}}) do
    if status ~= task[1] then redis.call('ZREM', prefix .. 'state:' .. status, ARGV[i]) end
  end
  if task[1] then
    redis.call('ZADD', prefix .. 'state:' .. task[1], task[2], ARGV[i])
    found = found + 1
    local out = isOut[task[1]] or (task[1] == 'queued' and task[4] == '1')
    redis.call(isOpen[task[1]] and 'SADD' or 'SREM', prefix .. 'open:' .. task[3], ARGV[i])
    redis.call(out and 'SADD' or 'SREM', prefix .. 'running:' .. task[3], ARGV[i])
    if not isOpen[task[1]] and not task[5] then endWhole(ARGV[i]) end
  end
end
return found
`;

/** Takes out of a set the ids that have no record. KEYS: the set. ARGV: prefix, then ids. */
const DROP_SCRIPT = `
for i = 2, #ARGV do
  if redis.call('EXISTS', ARGV[1] .. 'task:' .. ARGV[i]) == 0 then redis.call('SREM', KEYS[1], ARGV[i]) end
end
`;

/** Statuses in which a task holds a place at its account, of submissions and of all, beside one that was let out. */
const HOLDING = { submitting: ['submitting'], in_flight: OUT } as const;

/**
 * Takes the places at an account back from tasks that have none there. KEYS: the set. ARGV: prefix, account, statuses
 * that hold a place joined by commas, then ids.
 */
const PLACES_SCRIPT = `
local holding = {}
for status in string.gmatch(ARGV[3], '[^,]+') do holding[status] = true end
for i = 4, #ARGV do
  local task = redis.call('HMGET', ARGV[1] .. 'task:' .. ARGV[i], 'status', 'upstream', 'dispatched')
  local holds = holding[task[1]] or (task[1] == 'queued' and task[3] == '1')
  if not holds or task[2] ~= ARGV[2] then redis.call('SREM', KEYS[1], ARGV[i]) end
end
`;

/** What tasks are ended with. */
export interface EndingRules {
  /** Unix milliseconds. */
  now: number;
  /** How long final tasks are kept, milliseconds. */
  retentionMs: number;
}

/**
 * Builds the index of tasks by state anew. Each open task stands among those that are due, each final one among those
 * that expire, so nothing else has to be searched. Tasks may move meanwhile: each is put right in one step. What owners have
 * open and out, and who has a place at an account, is put right with it; whoever may go then is let out by the sweeper.
 * What stands in a final state and was never ended whole, as a failed script could leave it, is.
 */
export async function reindex(redis: Redis, keys: Keyspace, { now, retentionMs }: EndingRules): Promise<number> {
  let found = 0;
  const known = [keys.due, keys.expiring];
  for (const key of [...known, ...TASK_STATUSES.map((status) => keys.state(status))]) {
    const ids = await redis.zrange(key, '0', '-1');
    for (let from = 0; from < ids.length; from += BATCH) {
      const put = await redis.eval(SCRIPT, 1, key, keys.prefix, now, retentionMs, ...ids.slice(from, from + BATCH));
      if (known.includes(key)) found += Number(put);
    }
  }
  for (const name of ['open', 'running']) {
    await eachSet(redis, keys, name, (set, _owner, ids) => redis.eval(DROP_SCRIPT, 1, set, keys.prefix, ...ids));
  }
  for (const [name, statuses] of Object.entries(HOLDING)) {
    await eachSet(redis, keys, name, (set, account, ids) =>
      redis.eval(PLACES_SCRIPT, 1, set, keys.prefix, account, statuses.join(','), ...ids),
    );
  }
  return found;
}

/** Visits the sets of a name, one for each owner or account, with their ids in batches. */
async function eachSet(
  redis: Redis,
  { prefix }: Keyspace,
  name: string,
  visit: (set: string, whose: string, ids: string[]) => Promise<unknown>,
): Promise<void> {
  const start = `${prefix}${name}:`;
  // What the stream gives; its type does not say.
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

/** A name as patterns of Redis have it. */
function globbed(name: string): string {
  return name.replaceAll(/[\\*?[\]^]/g, String.raw`\$&`);
}

function marks(statuses: readonly TaskStatus[]): string {
  return statuses.map((status) => `${status} = true`).join(', ');
}
