--[[
  Ends a task whose record has a final state: charges its price, appends its entry to the ledger, and announces its end.
  Needs `prefix` and `now` in scope. Redis does not roll back a script that fails halfway, so no command here may fail.
  Therefore `price` checks the record's numbers before the first write.
]]
--- @include "includes/announce"
--- @include "includes/budget"
--- @include "includes/price"
--- @include "includes/append-entry"
--- @include "includes/task-entry"

-- Returns the key of a job's claim. It contains the vendor's account, because upstream names may change.
local function claimKey(vendorAccount, upstreamId)
  return prefix .. 'claimed:' .. vendorAccount .. ':' .. upstreamId
end

-- `options`: `retentionMs`, `maxLedgerEntries` unless the ledger is off, and `announcesAll`.
local function endTask(task, bill, options)
  local at, retentionMs = serverTime(), options.retentionMs
  charge(task, bill, at)
  if options.maxLedgerEntries then appendEntry(taskEntry(task, bill, at), options.maxLedgerEntries) end
  redis.call('ZREM', prefix .. 'due', task.id)
  task.completedAt, task.expiresAt, task.dueAt = integer(now), integer(now + retentionMs), nil
  local key = prefix .. 'task:' .. task.id
  redis.call('HSET', key, 'completedAt', task.completedAt, 'expiresAt', task.expiresAt)
  if bill.isPriced then
    task.costNanos = integer(bill.taskNanos + bill.unitsNanos)
    redis.call('HSET', key, 'costNanos', task.costNanos)
  elseif bill.units then
    task.unpriced = '1'
    redis.call('HSET', key, 'unpriced', '1')
  end
  redis.call('HDEL', key, 'dueAt')
  -- The sweeper removes a deleted task as soon as possible.
  redis.call('ZADD', prefix .. 'expiring', task.deleted == '1' and now or task.expiresAt, task.id)
  -- A claim expires together with its task's record.
  if task.upstreamId then
    redis.call('PEXPIRE', claimKey(task.upstreamAccount or task.upstream, task.upstreamId), integer(retentionMs))
  end
  announce(task, options.announcesAll)
end

-- Ends a task that a failed script has moved to a final state without ending it.
local function completeEnd(id, options)
  local task, flat = {}, redis.call('HGETALL', prefix .. 'task:' .. id)
  for field = 1, #flat, 2 do task[flat[field]] = flat[field + 1] end
  local before = task.acceptedAt and 'canceling' or 'queued'
  endTask(task, billOf(task, {}, task.status, before), options)
end
