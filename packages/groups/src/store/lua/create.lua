--[[
  Records a group with its items. If Redis's reply was lost and the call is resent, it finds its own record.
  ARGV: id, owner, current time, maximum open groups of the owner, maximum bytes of the requests in all its groups, key of
  the idempotency key or '', digest of the request, lifetime of an idempotency key in ms, shared fields of the requests,
  number of arguments of the record, its field-value pairs, then request and maximum cost of each item. Returns
  {'created', id}, {'replay', id of the earlier group}, {'conflict'}, {'limit'}, or {'quota'}.
]]
--- @include "includes/keys"
--- @include "includes/all"
local id, owner, now, idempotency, digest = ARGV[1], ARGV[2], ARGV[3], ARGV[6], ARGV[7]
local shared, first_item = ARGV[9], 11 + tonumber(ARGV[10])
if redis.call('EXISTS', group_key(id)) == 1 then return { 'created', id } end
if idempotency ~= '' then
  local known = redis.call('HMGET', idempotency, 'id', 'digest')
  if known[1] then
    if known[2] ~= digest then return { 'conflict' } end
    return { 'replay', known[1] }
  end
end
if redis.call('SCARD', open_key(owner)) >= tonumber(ARGV[4]) then return { 'limit' } end
local bytes = #shared
for at = first_item, #ARGV, 2 do bytes = bytes + #ARGV[at] end
if (tonumber(redis.call('GET', bytes_key(owner))) or 0) + bytes > tonumber(ARGV[5]) then return { 'quota' } end
redis.call('INCRBY', bytes_key(owner), bytes)
local total = (#ARGV - first_item + 1) / 2
redis.call('HSET', group_key(id), unpack(ARGV, 11, first_item - 1))
redis.call('HSET', group_key(id), 'total', total, 'open', total, 'n:pending', total, 'bytes', bytes)
redis.call('HSET', items_key(id), 'shared', shared)
for index = 0, total - 1 do
  local at = first_item + 2 * index
  local field = integer(index)
  redis.call('HSET', items_key(id), field .. ':request', ARGV[at], field .. ':max', ARGV[at + 1])
  redis.call('HSET', items_key(id), field .. ':state', 'pending', field .. ':retries', 0)
end
start_all()
redis.call('ZADD', all, 0, id)
redis.call('ZADD', owned_key(owner), 0, id)
redis.call('SADD', open_key(owner), id)
redis.call('ZADD', due, now, id)
if idempotency ~= '' then
  redis.call('HSET', idempotency, 'id', id, 'digest', digest)
  redis.call('PEXPIRE', idempotency, ARGV[8])
end
return { 'created', id }
