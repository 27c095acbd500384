-- Keeps the content of a file until a time, although the file may be removed before. ARGV: id, owner, time in Unix
-- milliseconds. Returns the parts of the file, or nil if the owner has no such file.
--- @include "includes/keys"
local id, owner, pinned_until = unpack(ARGV)
local key = file_key(id)
local known = redis.call('HMGET', key, 'owner', 'parts', 'pinnedUntil')
if known[1] ~= owner then return end
if tonumber(pinned_until) > tonumber(known[3] or 0) then redis.call('HSET', key, 'pinnedUntil', pinned_until) end
return known[2]
