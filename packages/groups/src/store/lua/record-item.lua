--[[
  Records the state of an item. A final state never changes. A report about an earlier task of the item has no effect.
  ARGV: id, index, retries, state, task id or '', current time, retention in ms, cost in nano-dollars, '1' if the cost is
  unknown, error as JSON or ''. In the state `pending`, no task was created, so a cancellation ends the item.
]]
--- @include "includes/keys"
--- @include "includes/set-state"
local id, index, retries, state, task = unpack(ARGV, 1, 5)
local now, retention_ms, nanos, unpriced, problem = unpack(ARGV, 6, 10)
local items = items_key(id)
local before, known = unpack(redis.call('HMGET', items, index .. ':state', index .. ':retries'))
if not before or known ~= retries or IS_FINAL[before] then return 0 end
if state == 'pending' then
  redis.call('HDEL', items, index .. ':begun')
  if redis.call('HGET', group_key(id), 'status') == 'cancelling' then state = 'cancelled' end
end
if task ~= '' then redis.call('HSET', items, index .. ':task', task) end
if problem ~= '' then redis.call('HSET', items, index .. ':error', problem) end
redis.call('HINCRBY', group_key(id), 'costNanos', nanos)
if unpriced == '1' then redis.call('HSET', group_key(id), 'unpriced', 1) end
set_state(id, index, state, now, retention_ms)
return 1
