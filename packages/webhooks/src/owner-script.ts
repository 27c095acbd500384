import { LANE_LUA } from './lane-script.ts';

/** Held deliveries that one step lets go at most. */
const MOST_LET_GO = 100;
/** An owner's leases are forgotten long after the last has ended, whatever became of them. */
const SHORTEST_KEPT_MS = 60_000;

/** Lua of the scripts that begin and end leases: the lanes', and the bound of each owner. */
export const OWNER_LUA: string = `${LANE_LUA}
local function hasRoom(owner)
  local leases = prefix .. 'leased_by:' .. owner
  redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)
  return redis.call('ZCARD', leases) < perOwner
end

local function lend(owner, id, leaseUntil)
  local leases = prefix .. 'leased_by:' .. owner
  redis.call('ZADD', leases, leaseUntil, id)
  redis.call('PEXPIRE', leases, math.max(${SHORTEST_KEPT_MS}, 2 * (leaseUntil - now)))
end

-- What was let go may wait for its host, and leave room for more of what is held.
local function indexHeld(owner)
  if redis.call('EXISTS', prefix .. 'held:' .. owner) == 0 then
    redis.call('ZREM', prefix .. 'held', owner)
  else
    redis.call('ZADD', prefix .. 'held', hasRoom(owner) and now or first(prefix .. 'leased_by:' .. owner), owner)
  end
end

local function hold(owner, id, at)
  redis.call('ZADD', prefix .. 'held:' .. owner, at, id)
end

-- Gives as many held deliveries back to their lanes as the owner has room for.
local function letGo(owner)
  if not hasRoom(owner) then return indexHeld(owner) end
  local room = perOwner - redis.call('ZCARD', prefix .. 'leased_by:' .. owner)
  for _ = 1, ${MOST_LET_GO} do
    local held = redis.call('ZPOPMIN', prefix .. 'held:' .. owner)
    if not held[1] then break end
    local lane = redis.call('HGET', prefix .. 'delivery:' .. held[1], 'lane')
    if lane then
      enqueue(held[1], lane, held[2], owner)
      room = room - 1
    else
      redis.call('HINCRBY', prefix .. 'stats', 'pending', -1)
    end
    if room == 0 then break end
  end
  indexHeld(owner)
end
`;
