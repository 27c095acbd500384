-- Begins and ends leases.
--- @include "includes/queues"

-- Maximum of waiting owners that are indexed again when an attempt ends at a host.
local MAX_WOKEN = 20
-- The leases of a host or an owner expire long after the last one has ended, so that a dead worker leaves none.
local MIN_LEASES_LIFE_MS = 60000

local function lease(id, owner, host, leaseUntil)
  redis.call('ZADD', prefix .. 'leased', leaseUntil, id)
  for _, leases in ipairs({ prefix .. 'leased_at:' .. host, prefix .. 'leased_by:' .. owner }) do
    redis.call('ZADD', leases, leaseUntil, id)
    redis.call('PEXPIRE', leases, math.max(MIN_LEASES_LIFE_MS, 2 * (leaseUntil - now)))
  end
end

-- Ends a lease if there is one, so that its owner and the first owners that wait for the host can be served.
local function endLease(id, owner, host)
  if redis.call('ZREM', prefix .. 'leased', id) == 0 then return false end
  redis.call('ZREM', prefix .. 'leased_at:' .. host, id)
  redis.call('ZREM', prefix .. 'leased_by:' .. owner, id)
  for _ = 1, MAX_WOKEN do
    local waiting = redis.call('ZPOPMIN', prefix .. 'line:' .. host)[1]
    if not waiting then break end
    index(waiting, host)
  end
  indexOwner(owner)
  return true
end
