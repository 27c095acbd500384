import { TASK_STATUSES } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import type { Keyspace } from '../keyspace.ts';

const BATCH = 200;

/** Puts each task of a batch where its record says. ARGV: prefix, then ids. Answers how many records there are. */
const SCRIPT = `
local prefix, found = ARGV[1], 0
for i = 2, #ARGV do
  local task = redis.call('HMGET', prefix .. 'task:' .. ARGV[i], 'status', 'createdAt')
  for _, status in ipairs({${TASK_STATUSES.map((status) => `'${status}'`).join(', ')}}) do
    if status ~= task[1] then redis.call('ZREM', prefix .. 'state:' .. status, ARGV[i]) end
  end
  if task[1] then
    redis.call('ZADD', prefix .. 'state:' .. task[1], task[2], ARGV[i])
    found = found + 1
  end
end
return found
`;

/**
 * Builds the index of tasks by state anew. Each open task stands among those that are due, each final one among those
 * that expire, so nothing else has to be searched. Tasks may move meanwhile: each is put right in one step.
 */
export async function reindex(redis: Redis, keys: Keyspace): Promise<number> {
  let found = 0;
  const known = [keys.due, keys.expiring];
  for (const key of [...known, ...TASK_STATUSES.map((status) => keys.state(status))]) {
    const ids = await redis.zrange(key, '0', '-1');
    for (let from = 0; from < ids.length; from += BATCH) {
      const put = await redis.eval(SCRIPT, 1, key, keys.prefix, ...ids.slice(from, from + BATCH));
      if (known.includes(key)) found += Number(put);
    }
  }
  return found;
}
