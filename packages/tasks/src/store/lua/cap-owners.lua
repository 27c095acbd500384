-- Sets how many tasks owners may have dispatched. ARGV from the third: owner, cap or '', in turn. Returns tasks to wake.
--- @include "includes/dispatch"
for i = 3, #ARGV, 2 do capOwner(ARGV[i], tonumber(ARGV[i + 1])) end
return dispatched
