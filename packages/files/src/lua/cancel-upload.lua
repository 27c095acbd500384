-- ARGV: id, owner, current time, time for which the upload stays readable. Returns `cancelled`, `missing`, or `ended`.
--- @include "includes/keys"
--- @include "includes/usage"
--- @include "includes/end-upload"
local id, owner, now = ARGV[1], ARGV[2], ARGV[3]
local known = redis.call('HMGET', upload_key(id), 'owner', 'status', 'expiresAt')
if known[1] ~= owner then return 'missing' end
if known[2] == 'cancelled' then return 'cancelled' end
if known[2] ~= 'pending' or tonumber(known[3]) <= tonumber(now) then return 'ended' end
end_upload(id, 'cancelled', now, ARGV[4])
return 'cancelled'
