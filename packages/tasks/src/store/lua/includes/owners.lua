--[[
  Limits of owners. Every admission writes them, and the start of the API writes those of configured keys.

  `open:<owner>` contains the owner's unfinished tasks. `running:<owner>` contains its dispatched tasks at all accounts.

  An owner at its cap is parked when its turn comes in an admission queue: it leaves the queue, and the account is recorded
  in `parked:<owner>`. So it delays no other owner. When one of its tasks ends, it returns to the queue that it left first.
  `parked_owners` lists such owners for the sweeper, because the end of a task may have been lost.
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
