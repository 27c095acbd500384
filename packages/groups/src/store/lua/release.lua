-- Ends a lease. ARGV: id, token, time of the next check.
--- @include "includes/keys"
local id, token = ARGV[1], ARGV[2]
if redis.call('HGET', group_key(id), 'token') ~= token then return 0 end
redis.call('HDEL', group_key(id), 'token')
return redis.call('ZADD', due, 'XX', ARGV[3], id)
