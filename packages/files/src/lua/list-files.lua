--[[
  Lists files of an owner by id, which is the order of their creation. ARGV: owner, purpose (empty for all), the id after
  which the page starts (empty for the first page), '1' for the latest first, maximum files, fields. Returns the fields
  of each file.
]]
--- @include "includes/keys"
local owner, purpose, after, descending = unpack(ARGV, 1, 4)
local key = purpose == '' and owned_key(owner) or purpose_key(purpose, owner)
local ids
if descending == '1' then
  ids = redis.call('ZRANGE', key, after == '' and '+' or '(' .. after, '-', 'BYLEX', 'REV', 'LIMIT', 0, ARGV[5])
else
  ids = redis.call('ZRANGE', key, after == '' and '-' or '(' .. after, '+', 'BYLEX', 'LIMIT', 0, ARGV[5])
end
local files = {}
for _, id in ipairs(ids) do files[#files + 1] = redis.call('HMGET', file_key(id), unpack(ARGV, 6)) end
return files
