--[[
  Dispatches tasks at accounts, and those of parked owners below their cap, for the sweeper. This corrects missed
  dispatches. ARGV from the third: accounts. Returns tasks to wake.
]]
--- @include "includes/dispatch"
for i = 3, #ARGV do dispatch(ARGV[i]) end
for _, owner in ipairs(redis.call('SMEMBERS', prefix .. 'parked_owners')) do
  unpark(owner)
  if redis.call('EXISTS', prefix .. 'parked:' .. owner) == 0 then redis.call('SREM', prefix .. 'parked_owners', owner) end
end
return dispatched
