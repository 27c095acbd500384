--[[
  Replaces the failed items of a group: a worker creates new tasks for them. ARGV: id, owner, current time, '1' to include
  videos whose submission is unknown, maximum open groups of the owner. Returns {'retried', number of items},
  {'missing'}, {'cancelled'}, {'nothing'}, {'limit'}, or {'cost', nano-dollars that the group may cost}.
]]
--- @include "includes/keys"
local id, owner, now, retriesUnknown = ARGV[1], ARGV[2], ARGV[3], ARGV[4] == '1'
local key, items = group_key(id), items_key(id)
local known = redis.call('HMGET', key, 'owner', 'status', 'total', 'costNanos', 'maxCostNanos')
if known[1] ~= owner then return { 'missing' } end
local status = known[2]
if status == 'cancelling' or status == 'cancelled' then return { 'cancelled' } end

local chosen, nanos = {}, tonumber(known[4])
for at = 0, tonumber(known[3]) - 1 do
  local index = integer(at)
  local state, max, problem = unpack(redis.call('HMGET', items, index .. ':state', index .. ':max', index .. ':error'))
  local isUnknown = problem and cjson.decode(problem).code == 'submission_unknown'
  local isChosen = state == 'failed' and (retriesUnknown or not isUnknown)
  if isChosen then chosen[#chosen + 1] = index end
  if isChosen or not IS_FINAL[state] then nanos = nanos + (tonumber(max) or 0) end
end
if #chosen == 0 then return { 'nothing' } end
if known[5] and known[5] ~= '' and nanos > tonumber(known[5]) then return { 'cost', integer(nanos) } end
if status == 'completed' then
  if redis.call('SCARD', open_key(owner)) >= tonumber(ARGV[5]) then return { 'limit' } end
  redis.call('HSET', key, 'status', 'in_progress')
  redis.call('HDEL', key, 'endedAt', 'expiresAt')
  redis.call('HINCRBY', key, 'round', 1)
  redis.call('SADD', open_key(owner), id)
  redis.call('ZREM', expiring, id)
end
for _, index in ipairs(chosen) do
  local task, previous = unpack(redis.call('HMGET', items, index .. ':task', index .. ':previous'))
  if task then
    redis.call('HSET', items, index .. ':previous', previous and previous .. ',' .. task or task)
  end
  redis.call('HDEL', items, index .. ':task', index .. ':error', index .. ':begun')
  redis.call('HSET', items, index .. ':state', 'pending')
  redis.call('HINCRBY', items, index .. ':retries', 1)
end
redis.call('HINCRBY', key, 'n:failed', 0 - #chosen)
redis.call('HINCRBY', key, 'n:pending', #chosen)
redis.call('HINCRBY', key, 'open', #chosen)
redis.call('HDEL', key, 'token')
redis.call('ZADD', due, now, id)
return { 'retried', integer(#chosen) }
