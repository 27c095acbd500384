-- ARGV: prefix, owner, Unix milliseconds ('' for the Redis clock). Returns {now, reserved, day, month, total}. The time
-- is in Unix milliseconds, the amounts are in nano-dollars.
local prefix, owner = ARGV[1], ARGV[2]
--- @include "includes/budget"
local now = ARGV[3] == '' and serverTime() or tonumber(ARGV[3])
remaining(owner, 'total', 0, now)
return {
  now,
  reserved(owner),
  spentIn(owner, 'day', now),
  spentIn(owner, 'month', now),
  spentIn(owner, 'total', now),
}
