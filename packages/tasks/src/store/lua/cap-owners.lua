-- Sets how many dispatched tasks each owner may have. ARGV: prefix, now, then pairs of an owner and its cap ('' for no
-- cap). Returns the tasks to wake.
--- @include "includes/dispatch"
for i = 3, #ARGV, 2 do capOwner(ARGV[i], tonumber(ARGV[i + 1])) end
return dispatched
