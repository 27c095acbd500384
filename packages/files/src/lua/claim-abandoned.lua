--[[
  Lists copies to delete at their vendors. They are listed again at the time of the next try, so that only one worker
  deletes a copy. ARGV: current time, maximum number, time of the next try. Returns the entries.
]]
--- @include "includes/keys"
local entries = redis.call('ZRANGE', abandoned, '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[2])
for _, entry in ipairs(entries) do redis.call('ZADD', abandoned, ARGV[3], entry) end
return entries
