-- Deletes a group. Its tasks remain.
local function forget_group(id)
  redis.call('ZREM', expiring, id)
  redis.call('ZREM', all, id)
  local owner, bytes = unpack(redis.call('HMGET', group_key(id), 'owner', 'bytes'))
  if not owner then return end
  redis.call('DEL', group_key(id), items_key(id))
  redis.call('ZREM', owned_key(owner), id)
  if redis.call('INCRBY', bytes_key(owner), 0 - (bytes or 0)) <= 0 then redis.call('DEL', bytes_key(owner)) end
end
