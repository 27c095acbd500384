import { BUDGET_LUA } from '@sluice/limits';
import { DISPATCH_LUA } from './dispatch-script.ts';

/**
 * Admission: makes the record, the request, the indexes and the due time in one step, so that a task is recorded whole
 * or not at all. Repeats are found here too, because only here they cannot race.
 *
 * ARGV: prefix, now, id, owner, account, digest, idempotency key or '', recent key, retry count, idempotency life ms,
 * recent life ms, request JSON, deadline, whether pictures are to be fetched first ('1'), key of the external id or '',
 * what the owner may have and the task costs as the JSON of a {@link TaskAllowance}, then the record's fields as pairs.
 *
 * Answers `{'new', …tasks to wake as account/id}`, `{'replay', id}`, `{'conflict'}`, `{'named'}` when a task of the owner
 * has the external id, `{'full'}` when the owner has as many unfinished tasks as it may, or `{'unpaid'}` when its budget
 * does not cover the task.
 */
export const ADMIT_SCRIPT: string = `${DISPATCH_LUA}${BUDGET_LUA}
local id, owner, account, digest = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local idempotencyKey, recentKey, retryCount = ARGV[7], ARGV[8], tonumber(ARGV[9])
local taskKey = prefix .. 'task:' .. id

-- ioredis sends a command again when its reply was lost: the second time there is nothing left to do.
if redis.call('EXISTS', taskKey) == 1 then return {'new'} end

-- What is past its retention does not exist, though nobody has cleared it away.
local function alive(other)
  local state = redis.call('HMGET', prefix .. 'task:' .. other, 'status', 'deleted', 'expiresAt')
  return state[1] and state[2] ~= '1' and (tonumber(state[3]) or math.huge) > now
end

if idempotencyKey ~= '' then
  local known = redis.call('HMGET', idempotencyKey, 'id', 'digest')
  if known[1] and alive(known[1]) then
    if known[2] == digest then return {'replay', known[1]} end
    return {'conflict'}
  end
elseif retryCount > 0 then
  local known = redis.call('GET', recentKey)
  if known and alive(known) then return {'replay', known} end
end

local externalKey = ARGV[15]
if externalKey ~= '' then
  local named = redis.call('GET', externalKey)
  if named and alive(named) then return {'named'} end
end

local allowance = cjson.decode(ARGV[16])
if allowance.openTasks and redis.call('SCARD', openTasks(owner)) >= allowance.openTasks then return {'full'} end
local budget, price = allowance.budget, allowance.price
if budget and price then
  local left = leftOf(owner, budget.period, budget.nanos, serverTime())
  if left <= 0 or price.maxNanos > left then return {'unpaid'} end
  local held = safe(price.maxNanos)
  hold(owner, held)
  redis.call('HSET', taskKey,
    'heldNanos', whole(held), 'taskNanos', whole(price.taskNanos), 'unitNanos', whole(price.unitNanos))
end
redis.call('SADD', openTasks(owner), id)
capOwner(owner, allowance.concurrentTasks)

if externalKey ~= '' then redis.call('SET', externalKey, id) end
redis.call('HSET', taskKey, unpack(ARGV, 17))
if externalKey ~= '' then redis.call('HSET', taskKey, 'externalKey', externalKey) end
redis.call('SET', prefix .. 'request:' .. id, ARGV[12])
redis.call('ZADD', prefix .. 'owner:' .. owner, 0, id)
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
event(id, 'queued', 0, 1)
-- Pictures are fetched before the task takes a place: a slow server of a client must not hold up others.
if ARGV[14] == '1' then
  redis.call('ZADD', prefix .. 'due', now, id)
  dispatched[#dispatched + 1] = account .. '/' .. id
else
  enter(account, owner, id)
end
return {'new', unpack(dispatched)}
`;
