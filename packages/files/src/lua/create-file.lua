--[[
  Records a file whose content is stored. If Redis's reply was lost and the call is resent, it finds its own record.
  ARGV: id, owner, purpose, bytes, expiry, content key, maximum files, maximum bytes of the owner,
  field-value pairs. Returns `created`, `quota`, or `gone` if the content was removed.
]]
--- @include "includes/keys"
--- @include "includes/usage"
--- @include "includes/index-file"
local id, owner, purpose, bytes, expires_at, content = unpack(ARGV, 1, 6)
if redis.call('EXISTS', file_key(id)) == 1 then return 'created' end
if not fits(owner, 1, tonumber(bytes), ARGV[7], ARGV[8]) then return 'quota' end
if redis.call('ZREM', garbage, content) == 0 then return 'gone' end
redis.call('HSET', file_key(id), unpack(ARGV, 9))
index_file(id, owner, purpose, expires_at)
add_usage(owner, 1, tonumber(bytes))
return 'created'
