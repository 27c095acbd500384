import { LANE_LUA } from './lane-script.ts';

/** Owners in line at a host that can be served again when an attempt ends there. */
const MAX_WOKEN = 20;
/** Leases of a host or an owner are forgotten long after the last has ended, whatever became of them. */
const MIN_KEPT_MS = 60_000;

/** Lua of the scripts that begin and end leases, after that of the lanes. */
export const LEASE_LUA: string = `${LANE_LUA}
local function lend(id, owner, host, leaseUntil)
  redis.call('ZADD', prefix .. 'leased', leaseUntil, id)
  for _, leases in ipairs({ prefix .. 'leased_at:' .. host, prefix .. 'leased_by:' .. owner }) do
    redis.call('ZADD', leases, leaseUntil, id)
    redis.call('PEXPIRE', leases, math.max(${MIN_KEPT_MS}, 2 * (leaseUntil - now)))
  end
end

-- Ends a lease, if there is one: the owner has room for another, and so has the host for whoever stands in line.
local function endLease(id, owner, host)
  if redis.call('ZREM', prefix .. 'leased', id) == 0 then return false end
  redis.call('ZREM', prefix .. 'leased_at:' .. host, id)
  redis.call('ZREM', prefix .. 'leased_by:' .. owner, id)
  for _ = 1, ${MAX_WOKEN} do
    local waiting = redis.call('ZPOPMIN', prefix .. 'line:' .. host)[1]
    if not waiting then break end
    index(waiting, host)
  end
  indexOwner(owner)
  return true
end
`;
