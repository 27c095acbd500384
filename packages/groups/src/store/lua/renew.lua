-- Renews a lease. ARGV: id, token, end of the lease. Returns 0 if the lease was lost.
--- @include "includes/keys"
local id, token, untilMs = unpack(ARGV)
if redis.call('HGET', group_key(id), 'token') ~= token then return 0 end
redis.call('ZADD', due, untilMs, id)
return 1
