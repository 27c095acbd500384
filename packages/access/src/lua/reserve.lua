-- Reserves names, so that no stored key can use them. KEYS: names. ARGV: owner, then names. Returns the names that a
-- stored key already has.
local taken = {}
for i = 2, #ARGV do
  redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[1])
  if redis.call('HGET', KEYS[1], ARGV[i]) ~= ARGV[1] then taken[#taken + 1] = ARGV[i] end
end
return taken
