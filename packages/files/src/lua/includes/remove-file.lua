-- Removes a file. Its content is garbage from now on, or when no process needs it any more. Its copies at vendors are abandoned.
local function remove_file(id, owner, now)
  local key = file_key(id)
  local known = redis.call('HMGET', key, 'owner', 'purpose', 'bytes', 'parts', 'pinnedUntil')
  redis.call('ZREM', expiries, id)
  if not known[1] or (owner ~= '' and known[1] ~= owner) then return 0 end
  local pinned_until = known[5] or '0'
  local garbage_at = tonumber(pinned_until) > tonumber(now) and pinned_until or now
  for _, part in ipairs(cjson.decode(known[4])) do redis.call('ZADD', garbage, garbage_at, part[1]) end
  redis.call('ZREM', owned_key(known[1]), id)
  redis.call('ZREM', purpose_key(known[2], known[1]), id)
  redis.call('DEL', key)
  abandon_copies(id, now)
  add_usage(known[1], -1, 0 - tonumber(known[3]))
  return 1
end
