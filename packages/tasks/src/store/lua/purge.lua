--[[
  Removes a final task's record, request, timeline, and indexes when its retention ends.
  ARGV: prefix, id. Returns 1 if the task is removed (now or earlier), and 0 if it is still open.
]]
local prefix, id = ARGV[1], ARGV[2]
local task = redis.call('HMGET', prefix .. 'task:' .. id, 'status', 'ownerId', 'externalKey')
local status = task[1]
if status and status ~= 'completed' and status ~= 'failed' and status ~= 'canceled' then
  redis.call('ZREM', prefix .. 'expiring', id)
  return 0
end
if status then
  redis.call('HINCRBY', prefix .. 'stats', 'tasks:' .. status, -1)
  redis.call('ZREM', prefix .. 'owner:' .. task[2], id)
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
