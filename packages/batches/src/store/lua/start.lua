--[[
  Starts a batch whose input is valid: makes its segments available to workers, or the batch to its vendor. For a vendor,
  the maximum cost is reserved. If the batch was cancelled meanwhile, it ends.
  ARGV: id, token, current time, retention, number of segments, number of lines, nano-dollars to reserve ('' if nothing
  is reserved), the owner's budget in nano-dollars and its period, field-value pairs, of which the first is
  `outputUpload`. Returns `started`, `cancelled`, `over_budget` if the budget does not cover the cost, or `lost`. If
  Redis's reply was lost and the call is resent, it finds its own upload.
]]
--- @include "includes/keys"
--- @include "includes/index-batch"
--- @include "includes/jobs"
--- @include "includes/end-batch"
local id, token, now, retention_ms = unpack(ARGV, 1, 4)
local nanos = tonumber(ARGV[7])
if not has_lease(id, 'validate', token) then
  return redis.call('HGET', batch_key(id), 'outputUpload') == ARGV[11] and 'started' or 'lost'
end
local owner, closing = unpack(redis.call('HMGET', batch_key(id), 'owner', 'closing'))
if closing ~= '' then
  end_lease(id, 'validate')
  end_batch(id, 'cancelled', now, retention_ms)
  return 'cancelled'
end
if nanos then
  local balance = remaining(owner, ARGV[9], tonumber(ARGV[8]), serverTime())
  if balance <= 0 or nanos > balance then return 'over_budget' end
  reserveFor(batch_key(id), owner, nanos)
end
end_lease(id, 'validate')
redis.call(
  'HSET', batch_key(id), 'status', 'in_progress', 'inProgressAt', now, 'segments', ARGV[5], 'total', ARGV[6],
  unpack(ARGV, 10)
)
redis.call('ZADD', deadlines, redis.call('HGET', batch_key(id), 'expiresAt'), id)
redis.call('HINCRBY', stats, 'waiting', ARGV[6])
if redis.call('HGET', batch_key(id), 'vendorStage') == 'prepare' then
  add_job(id, 'vendor')
else
  for segment = 0, tonumber(ARGV[5]) - 1 do add_job(id, decimal(segment)) end
end
index_batch(id)
return 'started'
