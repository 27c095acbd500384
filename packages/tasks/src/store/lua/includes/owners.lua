--[[
  Limits of owners. Every admission declares them, and for configured keys the start does; the scripts read them here.

  `open:<owner>` holds the owner's unfinished tasks. `running:<owner>` holds those that are dispatched, at any account.

  An owner at its cap is removed from the admission queue in which its turn comes, and the account is recorded in
  `parked:<owner>`. So the owner delays nobody, and no dispatch examines it in vain. When one of its tasks ends, it returns
  to the queue that it left first. `parked_owners` lists such owners for the sweeper, because the end of a task may have
  been lost.
]]
local function openTasks(owner)
  return prefix .. 'open:' .. owner
end

local function runningTasks(owner)
  return prefix .. 'running:' .. owner
end

local function isAtCap(owner)
  local cap = tonumber(redis.call('HGET', prefix .. 'owner_caps', owner))
  return cap and redis.call('SCARD', runningTasks(owner)) >= cap
end

local function park(account, owner)
  redis.call('SADD', prefix .. 'parked_owners', owner)
  redis.call('ZADD', prefix .. 'parked:' .. owner, 'NX', redis.call('INCR', prefix .. 'parking'), account)
end
