-- Ends a segment whose results are stored in the files. After the last one, the batch can be finalized. ARGV: id, job,
-- token, current time. Returns 1, or 0 if the lease was lost.
--- @include "includes/keys"
--- @include "includes/index-batch"
--- @include "includes/jobs"
local id, job, token, now = unpack(ARGV)
if not has_lease(id, job, token) then return 0 end
end_lease(id, job)
redis.call('DEL', lines_key(id, job))
redis.call('HDEL', segments_key(id), job)
local isLast = redis.call('HINCRBY', batch_key(id), 'segmentsDone', 1)
  == tonumber(redis.call('HGET', batch_key(id), 'segments'))
if isLast then
  if redis.call('HGET', batch_key(id), 'status') == 'in_progress' then
    redis.call('HSET', batch_key(id), 'status', 'finalizing', 'finalizingAt', now)
  end
  add_job(id, 'finalize')
end
index_batch(id)
return 1
