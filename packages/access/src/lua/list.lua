-- Returns the ids and records of all hashes in KEYS as pairs. The script reads all hashes in one step, so that a key
-- that is archived at the same time is listed exactly once.
local entries = {}
for _, hash in ipairs(KEYS) do
  for _, text in ipairs(redis.call('HGETALL', hash)) do entries[#entries + 1] = text end
end
return entries
