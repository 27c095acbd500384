--[[
  Renews the lease, and records that the task of an item will be created. A group that is cancelling has no pending item
  without this intent. ARGV: id, token, end of the lease, index. Returns `begun`, `lost` if the worker lost its lease, or
  `done` if the item does not wait for its task.
]]
--- @include "includes/keys"
local id, token, untilMs, index = unpack(ARGV)
if redis.call('HGET', group_key(id), 'token') ~= token then return 'lost' end
redis.call('ZADD', due, untilMs, id)
if redis.call('HGET', items_key(id), index .. ':state') ~= 'pending' then return 'done' end
if redis.call('HGET', group_key(id), 'status') == 'cancelling' then
  return redis.call('HEXISTS', items_key(id), index .. ':begun') == 1 and 'begun' or 'done'
end
redis.call('HSET', items_key(id), index .. ':begun', 1)
return 'begun'
