--[[
  Finds batches of all owners, or of one, newest first. Reads at most 1,000 entries. ARGV: owner, status, and model (each
  empty for all), the id after which the page starts (empty for the first page), maximum batches. Returns the id at which
  the next page starts (empty after the last one), and the fields and values of each batch.
]]
--- @include "includes/keys"
--- @include "includes/all"
local owner, status, model, after, max_batches = unpack(ARGV)
local MAX_READ = 1000
start_all()
local key = owner == '' and all or owned_key(owner)
local ids =
  redis.call('ZRANGE', key, after == '' and '+' or '(' .. after, '-', 'BYLEX', 'REV', 'LIMIT', 0, MAX_READ)
local batches, position = {}, ''
for _, id in ipairs(ids) do
  if #batches == tonumber(max_batches) then return { position, batches } end
  local known = redis.call('HMGET', batch_key(id), 'status', 'model')
  local is_match = known[1] and (status == '' or known[1] == status) and (model == '' or known[2] == model)
  if is_match then batches[#batches + 1] = redis.call('HGETALL', batch_key(id)) end
  position = id
end
return { #ids == MAX_READ and position or '', batches }
