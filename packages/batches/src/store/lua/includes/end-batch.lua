--- @include "includes/budget"

--[[
  Ends a batch, releases what is left of its reservation, and announces its end to the owner's webhooks. The entry is
  added to the outbox of `packages/webhooks`, which shares the key prefix but no code with this package. An owner with
  webhooks has the set `webhooks:of:<owner>`.
]]
local function end_batch(id, status, now, retention_ms)
  local key = batch_key(id)
  local owner = redis.call('HGET', key, 'owner')
  releaseFrom(key, owner)
  redis.call('HSET', key, 'status', status, status .. 'At', now, 'paused', '0')
  redis.call('DEL', jobs_key(id), segments_key(id), results_key(id))
  redis.call('ZREM', deadlines, id)
  redis.call('ZADD', expiring, decimal(tonumber(now) + tonumber(retention_ms)), id)
  redis.call('SREM', open_key(owner), id)
  redis.call('HINCRBY', stats, 'open', -1)
  redis.call('HINCRBY', stats, 'ended:' .. status, 1)
  index_batch(id)
  if redis.call('EXISTS', open_key(owner)) == 0 then redis.call('HDEL', served, owner) end
  if redis.call('EXISTS', prefix .. 'webhooks:of:' .. owner) == 1 then
    redis.call('RPUSH', prefix .. 'webhooks:outbox', cjson.encode({
      event = 'batch.' .. status, task = id, owner = owner, at = tonumber(now),
    }))
  end
end
