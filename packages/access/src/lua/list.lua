-- Returns id and record in turn of all hashes in KEYS. In one step, a key that is archived meanwhile is neither lost nor
-- doubled.
local found = {}
for _, hash in ipairs(KEYS) do
  for _, text in ipairs(redis.call('HGETALL', hash)) do found[#found + 1] = text end
end
return found
