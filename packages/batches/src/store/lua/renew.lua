-- Renews leases. ARGV: end of the leases, then the id, the job, and the token of each. Returns the status of each batch,
-- or '' for a lease that was lost.
--- @include "includes/keys"
--- @include "includes/jobs"
local states = {}
for at = 2, #ARGV, 3 do
  local id, job, token = unpack(ARGV, at, at + 2)
  local isKept = has_lease(id, job, token)
  if isKept then redis.call('ZADD', leases, ARGV[1], id .. ' ' .. job) end
  states[#states + 1] = isKept and redis.call('HGET', batch_key(id), 'status') or ''
end
return states
