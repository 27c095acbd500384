-- Ends a batch that cannot run or whose output cannot be stored. ARGV: id, job, token, current time, retention, errors as
-- JSON, number of lines in the input, as far as they were read. Returns 1, or 0 if the lease was lost.
--- @include "includes/keys"
--- @include "includes/index-batch"
--- @include "includes/jobs"
--- @include "includes/end-batch"
local id, job, token, now, retention_ms, errors, lines = unpack(ARGV)
if not has_lease(id, job, token) then return 0 end
end_lease(id, job)
local isCancelled = redis.call('HGET', batch_key(id), 'closing') == 'cancelled' and job == 'validate'
redis.call('HSET', batch_key(id), 'errors', errors, 'refusedLines', lines or 0)
if job == 'vendor' then
  redis.call('HINCRBY', stats, 'waiting', 0 - tonumber(redis.call('HGET', batch_key(id), 'total')))
end
end_batch(id, isCancelled and 'cancelled' or 'failed', now, retention_ms)
return 1
