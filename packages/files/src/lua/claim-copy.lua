--[[
  Finds the copy of a file at a vendor, or claims its upload. ARGV: file id, account, current time, token, duration of the
  claim in milliseconds. Returns the status and a value: `copy` and the vendor's id, `claimed`, or `busy` if another
  request uploads the file.
]]
--- @include "includes/keys"
local file, account, now, token, claim_ms = unpack(ARGV)
local known = redis.call('HGET', copies_key(file), account)
local copy = known and cjson.decode(known)
if copy and copy[2] > tonumber(now) then return { 'copy', copy[1] } end
if redis.call('SET', claim_key(file, account), token, 'NX', 'PX', claim_ms) then return { 'claimed', '' } end
return { 'busy', '' }
