-- Changes a batch. ARGV: id, owner, '1' or '0' for paused, priority (each empty to keep it). Returns `changed`,
-- `missing`, `ended`, or `vendor` if the batch cannot be paused because its vendor runs it.
--- @include "includes/keys"
--- @include "includes/index-batch"
local id, owner = ARGV[1], ARGV[2]
local known = redis.call('HMGET', batch_key(id), 'owner', 'status', 'vendorStage')
if known[1] ~= owner then return 'missing' end
if IS_FINAL[known[2]] then return 'ended' end
if ARGV[3] == '1' and known[3] and known[3] ~= '' and known[3] ~= 'prepare' then return 'vendor' end
if ARGV[3] ~= '' then redis.call('HSET', batch_key(id), 'paused', ARGV[3]) end
if ARGV[4] ~= '' then redis.call('HSET', batch_key(id), 'priority', ARGV[4]) end
index_batch(id)
return 'changed'
