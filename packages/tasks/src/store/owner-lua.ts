/**
 * Lua that the task scripts share: what an owner may have. It is told with each admission, and for configured keys at
 * the start, and kept where the scripts read it.
 *
 * `open:<owner>` holds the owner's unfinished tasks and `running:<owner>` those that are out, whatever the account: they
 * are at a vendor, or on their way. An owner that has as many out as it may is taken out of the waiting room in which it
 * would have its turn, and the account is noted in `parked:<owner>`, so that it holds up nobody and nobody looks at it in
 * vain. When one of its tasks ends, it goes back into the room that it left first. `parked_owners` tells the sweeper who
 * waits so: the end of a task may have been lost.
 */
export const OWNER_LUA = `
local function openTasks(owner)
  return prefix .. 'open:' .. owner
end

local function runningTasks(owner)
  return prefix .. 'running:' .. owner
end

local function isAtCap(owner)
  local most = tonumber(redis.call('HGET', prefix .. 'owner_caps', owner))
  return most and redis.call('SCARD', runningTasks(owner)) >= most
end

local function park(account, owner)
  redis.call('SADD', prefix .. 'parked_owners', owner)
  redis.call('ZADD', prefix .. 'parked:' .. owner, 'NX', redis.call('INCR', prefix .. 'parking'), account)
end
`;
