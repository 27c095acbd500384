--[[
  Dispatches tasks at the accounts named from ARGV[3] on, and those of parked owners below their cap: the sweeper's net
  under a missed dispatch. Returns tasks to wake.
]]
--- @include "includes/dispatch"
for i = 3, #ARGV do dispatch(ARGV[i]) end
for _, owner in ipairs(redis.call('SMEMBERS', prefix .. 'parked_owners')) do
  unpark(owner)
  if redis.call('EXISTS', prefix .. 'parked:' .. owner) == 0 then redis.call('SREM', prefix .. 'parked_owners', owner) end
end
return dispatched
