--[[
  Sends a delivery again and resets its count of failed attempts. Does nothing while an attempt is in flight.
  ARGV: the arguments of `queues`, then id, owner. Returns 1, or 0 if the owner has no delivery with this id.
]]
--- @include "includes/queues"
local id, owner = ARGV[5], ARGV[6]
local key = prefix .. 'delivery:' .. id
local known = redis.call('HMGET', key, 'owner', 'status')
if known[1] ~= owner then return 0 end
if redis.call('ZSCORE', prefix .. 'leased', id) then return 1 end
if known[2] ~= 'pending' then redis.call('HINCRBY', prefix .. 'stats', 'pending', 1) end
redis.call('HSET', key, 'status', 'pending', 'tries', 0)
enqueue(id, now)
return 1
