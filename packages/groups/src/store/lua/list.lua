--[[
  Lists groups of an owner, newest first. Ids sort by the time of creation. ARGV: owner, the id after which the page
  starts (empty for the first page), maximum groups. Returns the fields and values of each group.
]]
--- @include "includes/keys"
local after = ARGV[2]
local ids =
  redis.call('ZRANGE', owned_key(ARGV[1]), after == '' and '+' or '(' .. after, '-', 'BYLEX', 'REV', 'LIMIT', 0, ARGV[3])
local groups = {}
for _, id in ipairs(ids) do groups[#groups + 1] = redis.call('HGETALL', group_key(id)) end
return groups
