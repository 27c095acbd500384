--[[
  Records the progress of a batch at its vendor. ARGV: id, token, stage, state as JSON. The intent to submit is not
  recorded if the batch is paused or closes. Returns `recorded`, `lost`, `paused`, `expired`, or `cancelled`.
]]
--- @include "includes/keys"
--- @include "includes/jobs"
local id, token, stage, state = unpack(ARGV)
if not has_lease(id, 'vendor', token) then return 'lost' end
if stage == 'submitting' and redis.call('HGET', batch_key(id), 'vendorStage') ~= stage then
  local closing, paused = unpack(redis.call('HMGET', batch_key(id), 'closing', 'paused'))
  if closing ~= '' then return closing end
  if paused == '1' then return 'paused' end
end
redis.call('HSET', batch_key(id), 'vendorStage', stage, 'vendor', state)
return 'recorded'
