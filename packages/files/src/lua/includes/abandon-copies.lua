-- Records that a copy at a vendor is to be deleted there.
local function abandon_copy(account, copy, now)
  redis.call('ZADD', abandoned, now, cjson.encode({ account, copy }))
end

local function abandon_copies(file, now)
  local copies = redis.call('HGETALL', copies_key(file))
  for at = 1, #copies, 2 do abandon_copy(copies[at], copies[at + 1], now) end
  redis.call('DEL', copies_key(file))
end
