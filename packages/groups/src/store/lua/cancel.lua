--[[
  Cancels a group. Items without a task are cancelled at once, and a worker cancels the tasks of the others.
  ARGV: id, owner, current time, retention in ms. Returns `cancelling`, `missing`, or `ended`.
]]
--- @include "includes/keys"
--- @include "includes/set-state"
local id, owner, now = ARGV[1], ARGV[2], ARGV[3]
local known = redis.call('HMGET', group_key(id), 'owner', 'status', 'total')
if known[1] ~= owner then return 'missing' end
if known[2] == 'cancelling' then return 'cancelling' end
if known[2] ~= 'in_progress' then return 'ended' end
redis.call('HSET', group_key(id), 'status', 'cancelling')
redis.call('HDEL', group_key(id), 'token')
redis.call('ZADD', due, now, id)
for at = 0, tonumber(known[3]) - 1 do
  local index = integer(at)
  local state, begun = unpack(redis.call('HMGET', items_key(id), index .. ':state', index .. ':begun'))
  if state == 'pending' and not begun then set_state(id, index, 'cancelled', now, ARGV[4]) end
end
return 'cancelling'
