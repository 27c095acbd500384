-- Deletes a batch that has ended. ARGV: id, owner. Returns `removed`, `missing`, or `open`.
--- @include "includes/keys"
local id, owner = ARGV[1], ARGV[2]
local known = redis.call('HMGET', batch_key(id), 'owner', 'status')
if known[1] ~= owner then return 'missing' end
if not IS_FINAL[known[2]] then return 'open' end
redis.call('DEL', batch_key(id))
redis.call('ZREM', owned_key(owner), id)
redis.call('ZREM', expiring, id)
redis.call('ZREM', all, id)
return 'removed'
