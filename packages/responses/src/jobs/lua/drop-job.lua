--[[
  Removes a job without a change to its response. ARGV: the arguments of `job`, epoch ('' for the job of any worker).
  Returns 1, or 0 if the job does not exist or the worker has lost it.
]]
--- @include "includes/job"
if redis.call('EXISTS', job) == 0 or (ARGV[2] ~= '' and not isClaimed(ARGV[2])) then return 0 end
redis.call('DEL', textPrefix .. 'alive:' .. ref)
removeJob()
return 1
