--[[
  Limits of owners. Every admission writes its owner's limits. When the API starts, it writes the limits of configured
  keys.

  `open:<owner>` contains the owner's unfinished tasks. `running:<owner>` contains its dispatched tasks at all
  accounts.

  `paused_owners` contains the owners that have paused all their waiting tasks.

  If an owner has reached its cap, or is paused, when its turn comes in an admission queue, it is parked: it leaves the
  queue, and the account is recorded in `parked:<owner>`. So it does not delay other owners. When one of its tasks ends,
  or it resumes, the owner returns to the queue that it left first. `parked_owners` lists parked owners for the sweeper,
  because the end of a task may have been lost.
]]
local function openTasks(owner)
  return prefix .. 'open:' .. owner
end

local function runningTasks(owner)
  return prefix .. 'running:' .. owner
end

local function mayNotDispatch(owner)
  if redis.call('SISMEMBER', prefix .. 'paused_owners', owner) == 1 then return true end
  local cap = tonumber(redis.call('HGET', prefix .. 'owner_caps', owner))
  return cap and redis.call('SCARD', runningTasks(owner)) >= cap
end

local function park(account, owner)
  redis.call('SADD', prefix .. 'parked_owners', owner)
  redis.call('ZADD', prefix .. 'parked:' .. owner, 'NX', redis.call('INCR', prefix .. 'parking'), account)
end
