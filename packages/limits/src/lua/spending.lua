-- Returns {now, reserved, day, month, total}: milliseconds, then nano-dollars.
--- @include "includes/rates"
remaining(owner, 'total', 0, now)
return {
  now,
  tonumber(redis.call('HGET', budgetKey(owner), 'held') or 0),
  spentIn(owner, 'day', now),
  spentIn(owner, 'month', now),
  spentIn(owner, 'total', now),
}
