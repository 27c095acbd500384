--[[
  Cancels a batch. Lines in flight end first. If no line has started, the batch ends at once. ARGV: id, owner, current
  time, retention, errors as JSON (empty if the client cancels). Returns `cancelling`, `missing`, or `ended`.
]]
--- @include "includes/keys"
--- @include "includes/index-batch"
--- @include "includes/end-batch"
local id, owner, now = ARGV[1], ARGV[2], ARGV[3]
local known = redis.call('HMGET', batch_key(id), 'owner', 'status')
if known[1] ~= owner then return 'missing' end
local status = known[2]
if IS_FINAL[status] then return 'ended' end
if status == 'finalizing' or status == 'cancelling' then return 'cancelling' end
redis.call('HSET', batch_key(id), 'status', 'cancelling', 'closing', 'cancelled', 'cancellingAt', now, 'paused', '0')
redis.call('ZREM', deadlines, id)
if ARGV[5] ~= '' then redis.call('HSET', batch_key(id), 'errors', ARGV[5]) end
if status == 'validating' and redis.call('EXISTS', jobs_key(id)) == 1 then
  end_batch(id, 'cancelled', now, ARGV[4])
else
  index_batch(id)
end
return 'cancelling'
