import { BUDGET_LUA } from '@sluice/limits';
import { ANNOUNCE_LUA } from './announce-script.ts';
import { SETTLE_LUA } from './settle-lua.ts';

/**
 * Lua of the scripts that end a task: what follows once its record has a final state. A script that uses it has `prefix`
 * and `now` in scope. Redis undoes nothing of a script that fails halfway, so nothing in here may be refused: what can
 * be wrong in a record is made sure of in {@link SETTLE_LUA}, before the first write.
 */
export const END_TASK_LUA: string = `${ANNOUNCE_LUA}${BUDGET_LUA}${SETTLE_LUA}
-- Who has claimed a job: known by the vendor's account that has it, whatever the upstream is called.
local function claimOf(vendorAccount, upstreamId)
  return prefix .. 'claimed:' .. vendorAccount .. ':' .. upstreamId
end

local function endTask(task, cost, retentionMs)
  settle(task, cost)
  redis.call('ZREM', prefix .. 'due', task.id)
  task.completedAt, task.expiresAt, task.dueAt = whole(now), whole(now + retentionMs), nil
  local key = prefix .. 'task:' .. task.id
  redis.call('HSET', key, 'completedAt', task.completedAt, 'expiresAt', task.expiresAt)
  redis.call('HDEL', key, 'dueAt')
  -- What its owner has deleted, the sweeper clears away at once.
  redis.call('ZADD', prefix .. 'expiring', task.deleted == '1' and now or task.expiresAt, task.id)
  -- A claim holds for as long as its task's record.
  if task.upstreamId then
    redis.call('PEXPIRE', claimOf(task.upstreamAccount or task.upstream, task.upstreamId), whole(retentionMs))
  end
  announce(task)
end
`;
