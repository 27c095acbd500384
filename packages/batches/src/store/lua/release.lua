-- Ends the lease of a job that is not done. ARGV: id, job, token, time at which the job can start again (0 for now).
-- Returns 1, or 0 if the lease was lost.
--- @include "includes/keys"
--- @include "includes/index-batch"
--- @include "includes/jobs"
local id, job, token, at = unpack(ARGV)
if not has_lease(id, job, token) then return 0 end
if tonumber(at) > 0 then
  -- The job is returned at the end of the lease, which no worker has any more.
  redis.call('HDEL', tokens, id .. ' ' .. job)
  redis.call('ZADD', leases, at, id .. ' ' .. job)
else
  end_lease(id, job)
  add_job(id, job)
end
index_batch(id)
return 1
