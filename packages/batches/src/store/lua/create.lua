--[[
  Records a batch. If Redis's reply was lost and the call is resent, it finds its own record.
  ARGV: id, owner, maximum open batches of the owner, key of the repetition ('' if the client sent none), digest of the
  request, lifetime of the key in ms, field-value pairs. Returns `created`, `limit`, `conflict` if the key was used for
  another request, or the id of the batch that an equal request has created.
]]
--- @include "includes/keys"
--- @include "includes/index-batch"
--- @include "includes/jobs"
local id, owner = ARGV[1], ARGV[2]
if redis.call('EXISTS', batch_key(id)) == 1 then return 'created' end
local repetition, digest = ARGV[4], ARGV[5]
if repetition ~= '' then
  local known = redis.call('HMGET', repetition, 'id', 'digest')
  if known[1] then return known[2] == digest and known[1] or 'conflict' end
end
if redis.call('SCARD', open_key(owner)) >= tonumber(ARGV[3]) then return 'limit' end
redis.call('HSET', batch_key(id), unpack(ARGV, 7))
redis.call('ZADD', owned_key(owner), 0, id)
redis.call('SADD', open_key(owner), id)
redis.call('HINCRBY', stats, 'open', 1)
if repetition ~= '' then
  redis.call('HSET', repetition, 'id', id, 'digest', digest)
  redis.call('PEXPIRE', repetition, ARGV[6])
end
add_job(id, 'validate')
index_batch(id)
return 'created'
