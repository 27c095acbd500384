-- Removes a job without a change to its response. ARGV: the arguments of `job`, epoch. Returns 1, or 0 if it was lost.
--- @include "includes/job"
if not isClaimed(ARGV[2]) then return 0 end
redis.call('DEL', prefix .. 'alive:' .. ref)
removeJob()
return 1
