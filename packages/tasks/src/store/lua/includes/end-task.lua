--[[
  Ends a task whose record has a final state: charges its price and announces its end. Needs `prefix` and `now` in scope.
  Redis does not undo a script that fails halfway, so no command here may fail: `price` checks the numbers of the record
  before the first write.
]]
--- @include "includes/announce"
--- @include "includes/budget"
--- @include "includes/price"

-- The key of a job's claim. It contains the vendor's account, because upstream names may change.
local function claimKey(vendorAccount, upstreamId)
  return prefix .. 'claimed:' .. vendorAccount .. ':' .. upstreamId
end

local function endTask(task, cost, retentionMs)
  charge(task, cost)
  redis.call('ZREM', prefix .. 'due', task.id)
  task.completedAt, task.expiresAt, task.dueAt = integer(now), integer(now + retentionMs), nil
  local key = prefix .. 'task:' .. task.id
  redis.call('HSET', key, 'completedAt', task.completedAt, 'expiresAt', task.expiresAt)
  redis.call('HDEL', key, 'dueAt')
  -- The sweeper clears a deleted task at once.
  redis.call('ZADD', prefix .. 'expiring', task.deleted == '1' and now or task.expiresAt, task.id)
  -- A claim lasts as long as its task's record.
  if task.upstreamId then
    redis.call('PEXPIRE', claimKey(task.upstreamAccount or task.upstream, task.upstreamId), integer(retentionMs))
  end
  announce(task)
end
