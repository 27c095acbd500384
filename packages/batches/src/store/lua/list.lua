--[[
  Lists batches of an owner by id, which is the order of their creation. ARGV: owner, the id after which the page starts
  (empty for the first page), '1' for the newest first, maximum batches. Returns the fields and values of each batch.
]]
--- @include "includes/keys"
local key, after, limit = owned_key(ARGV[1]), ARGV[2], ARGV[4]
local ids
if ARGV[3] == '1' then
  ids = redis.call('ZRANGE', key, after == '' and '+' or '(' .. after, '-', 'BYLEX', 'REV', 'LIMIT', 0, limit)
else
  ids = redis.call('ZRANGE', key, after == '' and '-' or '(' .. after, '+', 'BYLEX', 'LIMIT', 0, limit)
end
local batches = {}
for _, id in ipairs(ids) do batches[#batches + 1] = redis.call('HGETALL', batch_key(id)) end
return batches
