--[[
  Rebuilds the index entries of a batch of tasks and of their owners from the tasks' records. If a failed script has
  moved a task to a final state without ending it, this script ends it.

  ARGV: prefix, now, JSON {retentionMs, maxLedgerEntries?}, JSON {all, open, running} with lists of statuses, then ids.
  Returns the number of records. The number excludes tasks that this script adds to `expiring`, because they are counted
  when that index is read.
]]
local prefix, now, options, records = ARGV[1], tonumber(ARGV[2]), cjson.decode(ARGV[3]), 0
--- @include "includes/end-task"
local statuses = cjson.decode(ARGV[4])

local function setOf(list)
  local set = {}
  for _, status in ipairs(list) do set[status] = true end
  return set
end

local isOpen, isRunning = setOf(statuses.open), setOf(statuses.running)
for i = 5, #ARGV do
  local task = redis.call('HMGET', prefix .. 'task:' .. ARGV[i],
    'status', 'createdAt', 'ownerId', 'dispatched', 'completedAt')
  for _, status in ipairs(statuses.all) do
    if status ~= task[1] then redis.call('ZREM', prefix .. 'state:' .. status, ARGV[i]) end
  end
  if task[1] then
    redis.call('ZADD', prefix .. 'state:' .. task[1], task[2], ARGV[i])
    records = records + 1
    local isTaskRunning = isRunning[task[1]] or (task[1] == 'queued' and task[4] == '1')
    redis.call(isOpen[task[1]] and 'SADD' or 'SREM', prefix .. 'open:' .. task[3], ARGV[i])
    redis.call(isTaskRunning and 'SADD' or 'SREM', prefix .. 'running:' .. task[3], ARGV[i])
    if not isOpen[task[1]] and not task[5] then
      if not redis.call('ZSCORE', prefix .. 'expiring', ARGV[i]) then records = records - 1 end
      completeEnd(ARGV[i], options)
    end
  end
end
return records
