-- Removes the intent of a line that was refused, so that it can be sent again. ARGV: id, job, line, attempt.
--- @include "includes/keys"
local key, field = lines_key(ARGV[1], ARGV[2]), 'i' .. ARGV[3]
if redis.call('HGET', key, field) == ARGV[4] then redis.call('HDEL', key, field) end
return 1
