--[[
  Records that the worker is about to call an upstream. ARGV: the arguments of `job`, epoch, record, retention in ms.
  Returns 1, or 0 if the worker has lost the job.
]]
--- @include "includes/job"
if not isClaimed(ARGV[2]) then return 0 end
redis.call('HSET', job, 'state', 'called')
redis.call('SET', textPrefix .. 'response:' .. ref, ARGV[3], 'PX', ARGV[4], 'XX')
return 1
