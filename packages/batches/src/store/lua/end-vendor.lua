--[[
  Ends the job of a vendor, and makes the segments available to workers: to record the vendor's results or, if the state
  is empty, to send their lines. Each line that is sent reserves its own cost, so the reservation of the batch is then
  released. ARGV: id, token, current time, stage, state as JSON, and how the vendor closed the batch (`expired`,
  `cancelled`, or empty). Returns 1, or 0 if the lease was lost.
]]
--- @include "includes/keys"
--- @include "includes/index-batch"
--- @include "includes/jobs"
--- @include "includes/budget"
local id, token, now, stage, state, closing = unpack(ARGV)
if not has_lease(id, 'vendor', token) then return 0 end
end_lease(id, 'vendor')
redis.call('HSET', batch_key(id), 'vendorStage', stage, 'vendor', state)
if stage == '' then releaseFrom(batch_key(id), redis.call('HGET', batch_key(id), 'owner')) end
if closing ~= '' and redis.call('HGET', batch_key(id), 'closing') == '' then
  local status = closing == 'cancelled' and 'cancelling' or 'finalizing'
  redis.call('HSET', batch_key(id), 'closing', closing, 'status', status, status .. 'At', now)
  redis.call('ZREM', deadlines, id)
end
for segment = 0, tonumber(redis.call('HGET', batch_key(id), 'segments')) - 1 do add_job(id, decimal(segment)) end
index_batch(id)
return 1
