-- Reserves names, so that no stored key ever gets them. KEYS: names. ARGV: owner, then names. Returns those that a stored
-- key has.
local taken = {}
for i = 2, #ARGV do
  redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[1])
  if redis.call('HGET', KEYS[1], ARGV[i]) ~= ARGV[1] then taken[#taken + 1] = ARGV[i] end
end
return taken
