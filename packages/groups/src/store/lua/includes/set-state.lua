--[[
  Ends a group whose videos have all ended, and announces this to the owner. The entry is added to the outbox of
  `packages/webhooks`, which shares the key prefix but no code with this package. An owner with webhooks has the set
  `webhooks:of:<owner>`. A group that was retried ends again, with another event id.
]]
local function end_group(id, now, retention_ms)
  local key = group_key(id)
  local owner, status, callback, round = unpack(redis.call('HMGET', key, 'owner', 'status', 'callbackUrl', 'round'))
  local ended = status == 'cancelling' and 'cancelled' or 'completed'
  local expires = integer(tonumber(now) + tonumber(retention_ms))
  redis.call('HSET', key, 'status', ended, 'endedAt', now, 'expiresAt', expires)
  redis.call('HDEL', key, 'token')
  redis.call('ZREM', due, id)
  redis.call('ZADD', expiring, expires, id)
  redis.call('SREM', open_key(owner), id)
  local hasCallback = callback and callback ~= ''
  if not hasCallback and redis.call('EXISTS', root .. 'webhooks:of:' .. owner) == 0 then return end
  local entry = { event = 'group.' .. ended, task = id, owner = owner, at = tonumber(now) }
  if round ~= '0' then entry.id = 'evt_' .. string.match(id, '[^_]*$') .. 'r' .. round end
  if hasCallback then
    entry.callback, entry.shape = callback, 'event'
  end
  redis.call('RPUSH', root .. 'webhooks:outbox', cjson.encode(entry))
end

-- Moves an item to another state, and ends its group if it was the last open item.
local function set_state(id, index, state, now, retention_ms)
  local key, field = group_key(id), index .. ':state'
  local before = redis.call('HGET', items_key(id), field)
  if before == state then return end
  redis.call('HSET', items_key(id), field, state)
  redis.call('HINCRBY', key, 'n:' .. before, -1)
  redis.call('HINCRBY', key, 'n:' .. state, 1)
  if IS_FINAL[state] then
    redis.call('HDEL', items_key(id), index .. ':begun')
    if redis.call('HINCRBY', key, 'open', -1) == 0 then end_group(id, now, retention_ms) end
  end
end
