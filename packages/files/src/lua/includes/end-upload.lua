-- Ends a pending upload without a file. Its record stays for some time, so that its status can be read.
local function end_upload(id, status, now, kept_ms)
  local key = upload_key(id)
  local known = redis.call('HMGET', key, 'owner', 'received')
  redis.call('ZREM', expiries, id)
  if not known[1] then return end
  for _, text in ipairs(redis.call('HVALS', parts_key(id))) do
    redis.call('ZADD', garbage, now, cjson.decode(text)[1])
  end
  redis.call('DEL', parts_key(id))
  redis.call('HSET', key, 'status', status)
  redis.call('PEXPIRE', key, kept_ms)
  add_usage(known[1], -1, 0 - tonumber(known[2]))
end
