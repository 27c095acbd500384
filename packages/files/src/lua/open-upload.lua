-- Starts an upload. It counts as a file of its owner. ARGV: id, owner, expiry, maximum files, maximum bytes of the owner,
-- declared bytes (0 if unknown), field-value pairs. Returns `created` or `quota`.
--- @include "includes/keys"
--- @include "includes/usage"
local id, owner = ARGV[1], ARGV[2]
if redis.call('EXISTS', upload_key(id)) == 1 then return 'created' end
if not fits(owner, 1, tonumber(ARGV[6]), ARGV[4], ARGV[5]) then return 'quota' end
redis.call('HSET', upload_key(id), unpack(ARGV, 7))
redis.call('ZADD', expiries, ARGV[3], id)
add_usage(owner, 1, 0)
return 'created'
