-- Deletes a group that has ended. ARGV: id, owner. Returns `removed`, `missing`, or `open`.
--- @include "includes/keys"
--- @include "includes/forget-group"
local id, owner = ARGV[1], ARGV[2]
local known = redis.call('HMGET', group_key(id), 'owner', 'status')
if known[1] ~= owner then return 'missing' end
if known[2] ~= 'completed' and known[2] ~= 'cancelled' then return 'open' end
forget_group(id)
return 'removed'
