--[[
  Abandons a copy that the vendor refused, unless it was replaced. The vendor may still have it.
  ARGV: file id, account, the vendor's id, current time.
]]
--- @include "includes/keys"
--- @include "includes/abandon-copies"
local file, account, id, now = unpack(ARGV)
local known = redis.call('HGET', copies_key(file), account)
if known and cjson.decode(known)[1] == id then
  redis.call('HDEL', copies_key(file), account)
  abandon_copy(account, known, now)
end
