--[[
  Finds groups of all owners, or of one, newest first. Reads at most 1,000 entries. ARGV: owner and status (each empty
  for all), the id after which the page starts (empty for the first page), maximum groups. Returns the id at which the
  next page starts (empty after the last one), and the fields and values of each group.
]]
--- @include "includes/keys"
--- @include "includes/all"
local owner, status, after, max_groups = unpack(ARGV)
local MAX_READ = 1000
start_all()
local key = owner == '' and all or owned_key(owner)
local ids =
  redis.call('ZRANGE', key, after == '' and '+' or '(' .. after, '-', 'BYLEX', 'REV', 'LIMIT', 0, MAX_READ)
local groups, position = {}, ''
for _, id in ipairs(ids) do
  if #groups == tonumber(max_groups) then return { position, groups } end
  local known = redis.call('HGET', group_key(id), 'status')
  if known and (status == '' or known == status) then groups[#groups + 1] = redis.call('HGETALL', group_key(id)) end
  position = id
end
return { #ids == MAX_READ and position or '', groups }
