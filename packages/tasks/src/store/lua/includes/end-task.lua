--[[
  Ends a task whose record has a final state: charges its price and announces its end. Needs `prefix` and `now` in
  scope. Redis does not roll back a script that fails halfway, so no command here may fail. Therefore `price` checks
  the record's numbers before the first write.
]]
--- @include "includes/announce"
--- @include "includes/budget"
--- @include "includes/price"

-- Returns the key of a job's claim. It contains the vendor's account, because upstream names may change.
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
  -- The sweeper removes a deleted task as soon as possible.
  redis.call('ZADD', prefix .. 'expiring', task.deleted == '1' and now or task.expiresAt, task.id)
  -- A claim expires together with its task's record.
  if task.upstreamId then
    redis.call('PEXPIRE', claimKey(task.upstreamAccount or task.upstream, task.upstreamId), integer(retentionMs))
  end
  announce(task)
end
