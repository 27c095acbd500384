--[[
  Removes the entries that a worker has copied to the outbox of the home, unless its lease has ended. Then another worker
  may have copied and removed them already. KEYS: lease. ARGV: outbox, token, number of entries.
  Returns 1 if the entries were removed.
]]
if redis.call('GET', KEYS[1]) ~= ARGV[2] then return 0 end
redis.call('LTRIM', ARGV[1], ARGV[3], -1)
redis.call('DEL', KEYS[1])
return 1
