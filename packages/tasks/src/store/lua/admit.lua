--[[
  Admits a task. It writes the record, the request, the indexes, and the due time in one step, so that a task is
  recorded completely or not at all. It also detects repeated requests, because checks outside the script would race.

  ARGV: prefix, now, id, owner, account, digest, idempotency key or '', recent key, retry count, lifetime of an
  idempotency key in ms, lifetime of a recent key in ms, request JSON, deadline, '1' if input images must be fetched
  first, key of the external id or '', a `TaskAllowance` with `maxNanos`, `tags`, and `inputs` as JSON, then the fields
  of the record as pairs.

  Returns one of:

  - {'new', keys of stored input images that the task does not use, joined by spaces, tasks to wake as account/id...}
  - {'replay', id}: an earlier request created the task.
  - {'conflict'}: the idempotency key was used for a different request.
  - {'external_id_taken'}: another task of the owner has the external id.
  - {'open_task_limit'}: the owner has reached its maximum of unfinished tasks.
  - {'over_budget', remaining, reserved}: the owner's budget does not cover the task. Amounts are in nano-dollars.
]]
--- @include "includes/dispatch"
--- @include "includes/budget"
--- @include "includes/share-inputs"
local id, owner, account, digest = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local idempotencyKey, recentKey, retryCount = ARGV[7], ARGV[8], tonumber(ARGV[9])
local taskKey = prefix .. 'task:' .. id
local allowance = cjson.decode(ARGV[16])
local inputs = allowance.inputs

-- ioredis resends a command if its reply was lost. The first call has then already recorded the task.
if redis.call('EXISTS', taskKey) == 1 then return {'new', table.concat(unusedInputs(inputs), ' ')} end

-- A task past its retention is treated as missing, even if it has not been removed yet.
local function exists(other)
  local state = redis.call('HMGET', prefix .. 'task:' .. other, 'status', 'deleted', 'expiresAt')
  return state[1] and state[2] ~= '1' and (tonumber(state[3]) or math.huge) > now
end

if idempotencyKey ~= '' then
  local known = redis.call('HMGET', idempotencyKey, 'id', 'digest')
  if known[1] and exists(known[1]) then
    if known[2] == digest then return {'replay', known[1]} end
    return {'conflict'}
  end
elseif retryCount > 0 then
  local known = redis.call('GET', recentKey)
  if known and exists(known) then return {'replay', known} end
end

local externalKey = ARGV[15]
if externalKey ~= '' then
  local other = redis.call('GET', externalKey)
  if other and exists(other) then return {'external_id_taken'} end
end

if allowance.openTasks and redis.call('SCARD', openTasks(owner)) >= allowance.openTasks then return {'open_task_limit'} end
local budget, maxNanos = allowance.budget, allowance.maxNanos
if budget and maxNanos then
  local balance = remaining(owner, budget.period, budget.nanos, serverTime())
  if balance <= 0 or maxNanos > balance then
    return {'over_budget', integer(balance), integer(reserved(owner))}
  end
  reserveFor(taskKey, owner, maxNanos)
end
redis.call('SADD', openTasks(owner), id)
capOwner(owner, allowance.concurrentTasks)

if externalKey ~= '' then redis.call('SET', externalKey, id) end
redis.call('HSET', taskKey, unpack(ARGV, 17))
if externalKey ~= '' then redis.call('HSET', taskKey, 'externalKey', externalKey) end
redis.call('SET', prefix .. 'request:' .. id, shareInputs(id, inputs, ARGV[12]))
redis.call('ZADD', prefix .. 'owner:' .. owner, 0, id)
for _, tag in ipairs(allowance.tags or {}) do redis.call('ZADD', prefix .. 'tag:' .. tag, 0, id) end
redis.call('ZADD', prefix .. 'due', ARGV[13], id)
if idempotencyKey ~= '' then
  redis.call('HSET', idempotencyKey, 'id', id, 'digest', digest)
  redis.call('PEXPIRE', idempotencyKey, ARGV[10])
end
redis.call('SET', recentKey, id, 'PX', ARGV[11])
redis.call('HINCRBY', prefix .. 'stats', 'tasks:queued', 1)
redis.call('ZADD', prefix .. 'state:queued', redis.call('HGET', taskKey, 'createdAt'), id)
addEntry(id, 'shown', {
  at = now, revision = 1, status = 'queued', progress = 0, what = 'accepted', attempt = 0, upstream = account, route = 0,
})
publish(id, 'queued', 0, 1)
-- Input images are fetched before the task gets a slot, so that one client's slow server does not delay other clients.
if ARGV[14] == '1' then
  redis.call('ZADD', prefix .. 'due', now, id)
  dispatched[#dispatched + 1] = account .. '/' .. id
else
  enter(account, owner, id)
end
return {'new', table.concat(unusedInputs(inputs), ' '), unpack(dispatched)}
