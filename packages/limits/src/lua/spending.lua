-- Returns {now, reserved, day, month, total}: milliseconds, then nano-dollars.
--- @include "includes/rates"
remaining(owner, 'total', 0, now)
return {
  now,
  reserved(owner),
  spentIn(owner, 'day', now),
  spentIn(owner, 'month', now),
  spentIn(owner, 'total', now),
}
