--[[
  Writes a record if it has not changed since the caller read it. Increments the version, which tells every process that
  the keys have changed. If Redis's reply was lost and the call is resent, it finds its own record and returns the same
  result.

  Records of revoked and expired keys are in a separate hash, which is not read to authenticate requests. Revoked keys
  are moved there immediately, expired keys after a delay. If a key's expiry is extended, the key is moved back.

  KEYS: records, ended records, names, version, expiries (ids by archive time). ARGV: id, name, the record that the
  caller read (empty for a new key), the new record, '1' if the key is revoked, its archive time (empty for never),
  current time.
]]
local records, ended, names, version, expiries = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local id, name, before, next = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local current = redis.call('HGET', records, id) or redis.call('HGET', ended, id)
if current == next then return 'written' end
if (current or '') ~= before then return 'changed' end
local hasName = redis.call('HSETNX', names, name, id) == 1 or redis.call('HGET', names, name) == id
-- A key can be revoked even if its name was taken by another key.
if not hasName and ARGV[5] ~= '1' then return 'name taken' end

local function archive(key, record)
  redis.call('HSET', ended, key, record)
  redis.call('HDEL', records, key)
  redis.call('ZREM', expiries, key)
end

redis.call('HSET', records, id, next)
redis.call('HDEL', ended, id)
if ARGV[6] == '' then redis.call('ZREM', expiries, id) else redis.call('ZADD', expiries, ARGV[6], id) end
if ARGV[5] == '1' then archive(id, next) end
for _, key in ipairs(redis.call('ZRANGE', expiries, '-inf', ARGV[7], 'BYSCORE', 'LIMIT', 0, 100)) do
  local record = redis.call('HGET', records, key)
  if record then archive(key, record) else redis.call('ZREM', expiries, key) end
end
redis.call('INCR', version)
return 'written'
