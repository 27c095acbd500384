-- Returns the ids and records of all hashes in KEYS as pairs. One step reads all hashes, so that a key that is being
-- archived is listed exactly once.
local entries = {}
for _, hash in ipairs(KEYS) do
  for _, text in ipairs(redis.call('HGETALL', hash)) do entries[#entries + 1] = text end
end
return entries
