--[[
  Gives a worker the lease of the group whose check is due first. Also deletes groups that have expired.
  ARGV: current time, end of the lease, token. Returns the id, or ''.
]]
--- @include "includes/keys"
--- @include "includes/forget-group"
local now = ARGV[1]
local MAX_EXPIRED = 20

for _, id in ipairs(redis.call('ZRANGE', expiring, '-inf', now, 'BYSCORE', 'LIMIT', 0, MAX_EXPIRED)) do
  forget_group(id)
end

local id = redis.call('ZRANGE', due, '-inf', now, 'BYSCORE', 'LIMIT', 0, 1)[1]
if not id then return '' end
redis.call('ZADD', due, ARGV[2], id)
redis.call('HSET', group_key(id), 'token', ARGV[3])
return id
