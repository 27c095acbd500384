--[[
  Dispatches tasks at the given accounts, and tasks of parked owners that are below their cap. The sweeper calls it to
  correct missed dispatches. ARGV: prefix, now, then the accounts. Returns the tasks to wake.
]]
--- @include "includes/dispatch"
for i = 3, #ARGV do dispatch(ARGV[i]) end
for _, owner in ipairs(redis.call('SMEMBERS', prefix .. 'parked_owners')) do
  unpark(owner)
  if redis.call('EXISTS', prefix .. 'parked:' .. owner) == 0 then redis.call('SREM', prefix .. 'parked_owners', owner) end
end
return dispatched
