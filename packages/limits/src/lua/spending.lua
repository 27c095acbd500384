-- Returns {now, reserved, day, month, total}. The time is in Unix milliseconds, the amounts are in nano-dollars.
--- @include "includes/rates"
remaining(owner, 'total', 0, now)
return {
  now,
  reserved(owner),
  spentIn(owner, 'day', now),
  spentIn(owner, 'month', now),
  spentIn(owner, 'total', now),
}
