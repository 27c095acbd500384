--[[
  Removes a final task's record, request, timeline, and indexes when its retention ends. If a failed script has moved the
  task to a final state without ending it, this script first ends it, so that it is charged and in the ledger.
  ARGV: prefix, id, now, JSON {retentionMs, maxLedgerEntries?}. Returns 1 if the task is removed (now or earlier), and 0 if it is still open.
]]
local prefix, id, now = ARGV[1], ARGV[2], tonumber(ARGV[3])
--- @include "includes/end-task"
--- @include "includes/untag"
local task = redis.call('HMGET', prefix .. 'task:' .. id, 'status', 'ownerId', 'externalKey', 'completedAt', 'tags')
local status = task[1]
if status and status ~= 'completed' and status ~= 'failed' and status ~= 'canceled' then
  redis.call('ZREM', prefix .. 'expiring', id)
  return 0
end
if status then
  if not task[4] then completeEnd(id, cjson.decode(ARGV[4])) end
  redis.call('HINCRBY', prefix .. 'stats', 'tasks:' .. status, -1)
  redis.call('ZREM', prefix .. 'owner:' .. task[2], id)
  untag(id, task[5])
  redis.call('ZREM', prefix .. 'state:' .. status, id)
  -- After a restore from a backup, the task may still have a slot, which nothing else would release.
  redis.call('SREM', prefix .. 'open:' .. task[2], id)
  redis.call('SREM', prefix .. 'running:' .. task[2], id)
end
redis.call('SREM', prefix .. 'storage_waiting', id)
-- Another task may have claimed the external id after this one was deleted.
if task[3] and redis.call('GET', task[3]) == id then redis.call('DEL', task[3]) end
redis.call('DEL', prefix .. 'task:' .. id, prefix .. 'request:' .. id)
for _, list in ipairs({'shown', 'moved', 'noted'}) do redis.call('DEL', prefix .. 'timeline:' .. id .. ':' .. list) end
redis.call('ZREM', prefix .. 'expiring', id)
redis.call('ZREM', prefix .. 'due', id)
return 1
