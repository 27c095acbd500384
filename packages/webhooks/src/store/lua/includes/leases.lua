-- Starts and ends leases.
--- @include "includes/queues"

-- Maximum number of waiting owners to index again when an attempt at a host ends.
local MAX_WOKEN = 20
-- The set of a host's or owner's leases expires long after the last lease has ended, so that dead workers leave no
-- sets.
local MIN_LEASES_LIFE_MS = 60000

local function lease(id, owner, host, leaseUntil)
  redis.call('ZADD', prefix .. 'leased', leaseUntil, id)
  for _, leases in ipairs({ prefix .. 'leased_at:' .. host, prefix .. 'leased_by:' .. owner }) do
    redis.call('ZADD', leases, leaseUntil, id)
    redis.call('PEXPIRE', leases, math.max(MIN_LEASES_LIFE_MS, 2 * (leaseUntil - now)))
  end
end

-- Ends a lease if it exists. Its owner and the first owners in line for the host can then be served.
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
