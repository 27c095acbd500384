import { BUDGET_LUA } from './budget-lua.ts';

/**
 * What the scripts on one key begin with. ARGV: prefix, owner, Unix milliseconds ('' for Redis' own clock, which all
 * processes share).
 *
 * Rates are counted in slots of a second: `r<second>` requests, `t<second>` tokens, and `l<second>`, when the last of them
 * came. A slot counts until that is 60 seconds past, so that no 60 seconds ever see more than the limit, and nobody is
 * told to wait for longer: SDKs do not obey that.
 */
const BEGIN_LUA = `
local prefix, owner = ARGV[1], ARGV[2]
${BUDGET_LUA}
local now = ARGV[3] == '' and serverTime() or tonumber(ARGV[3])
local second = math.floor(now / 1000)
local rateKey = prefix .. 'rate:' .. owner
local WINDOW = 60000

local function count(kind, amount)
  redis.call('HINCRBY', rateKey, kind .. second, whole(amount))
  redis.call('HSET', rateKey, 'l' .. second, whole(now))
  redis.call('PEXPIRE', rateKey, 2 * WINDOW)
end
`;

/**
 * Lets a request in, or says what forbids it: all of it in one step, so that many processes together never let in more
 * than one would.
 *
 * ARGV from the fourth: requests a minute, tokens a minute, budget in nano-dollars ('' where there is none), the budget's
 * period, tokens and nano-dollars to hold, the request's id, milliseconds after which what is held lapses.
 *
 * Answers `{verdict, milliseconds until trying again can help, now, requests left, until all are back, tokens left,
 * until all are back}`. Verdicts: `admitted`, `requests`, `tokens`, `size` (more tokens than a minute has), `budget`.
 */
export const ADMIT_SCRIPT: string = `${BEGIN_LUA}
local most = { r = tonumber(ARGV[4]), t = tonumber(ARGV[5]) }
local budget, period = tonumber(ARGV[6]), ARGV[7]
local asked = { r = 1, t = tonumber(ARGV[8]) }
local nanos, id, lifeMs = tonumber(ARGV[9]), ARGV[10], tonumber(ARGV[11])

-- A negative amount would make room, one that is no number would pass every comparison.
if safe(asked.t) ~= asked.t or safe(nanos) ~= nanos then
  return redis.error_reply('ERR tokens and nano-dollars are held from 0 to 9e15')
end

local used, slots = { r = 0, t = 0 }, { r = {}, t = {} }
local flat, fields = redis.call('HGETALL', rateKey), {}
for i = 1, #flat, 2 do fields[flat[i]] = tonumber(flat[i + 1]) end
for field, amount in pairs(fields) do
  local kind, at = string.sub(field, 1, 1), string.sub(field, 2)
  local last = fields['l' .. at]
  if last + WINDOW <= now then
    redis.call('HDEL', rateKey, field)
  elseif kind ~= 'l' then
    used[kind] = used[kind] + amount
    table.insert(slots[kind], { last = last, amount = amount })
  end
end

local function leaves(slot)
  return slot.last + WINDOW - now
end

-- Until so many slots have left that there is room.
local function waitFor(kind)
  local excess = used[kind] + asked[kind] - most[kind]
  table.sort(slots[kind], function(a, b) return a.last < b.last end)
  for _, slot in ipairs(slots[kind]) do
    excess = excess - slot.amount
    if excess <= 0 then return leaves(slot) end
  end
  return WINDOW
end

local function resetOf(kind)
  local reset = 0
  for _, slot in ipairs(slots[kind]) do
    if slot.amount > 0 then reset = math.max(reset, leaves(slot)) end
  end
  return reset
end

local function answer(verdict, waitMs)
  local function left(kind)
    return most[kind] and math.max(0, most[kind] - used[kind]) or 0
  end
  return { verdict, waitMs, now, left('r'), resetOf('r'), left('t'), resetOf('t') }
end

-- A command is sent again when its reply was lost: what was let in already counts once, what was settled no more.
local admittedKey = prefix .. 'admitted:' .. id
if redis.call('EXISTS', admittedKey, prefix .. 'settled:' .. id) > 0 then return answer('admitted', 0) end
if budget and redis.call('HEXISTS', amountsKey(owner), id) == 1 then return answer('admitted', 0) end

if most.t and asked.t > most.t then return answer('size', 0) end
if most.r and used.r + asked.r > most.r then return answer('requests', waitFor('r')) end
if most.t and used.t + asked.t > most.t then return answer('tokens', waitFor('t')) end
if budget then
  local left = leftOf(owner, period, budget, now)
  if left <= 0 or nanos > left then return answer('budget', 0) end
  if nanos > 0 then
    redis.call('HSET', amountsKey(owner), id, whole(nanos))
    redis.call('ZADD', openKey(owner), now + lifeMs, id)
    hold(owner, nanos)
  end
end
for _, kind in ipairs({ 'r', 't' }) do
  if most[kind] and asked[kind] > 0 then
    count(kind, asked[kind])
    used[kind] = used[kind] + asked[kind]
    table.insert(slots[kind], { last = now, amount = asked[kind] })
  end
end
redis.call('SET', admittedKey, second .. ' ' .. whole(most.t and asked.t or 0), 'PX', WINDOW)
return answer('admitted', 0)
`;

/**
 * Puts in place of what was held what a request has really used; nothing, where it has failed. Sent twice, it counts
 * once.
 *
 * ARGV from the fourth: the request's id, when it was let in as Unix milliseconds ('' for what was never held, or whose
 * admission was not heard of), tokens to add to those that were counted then (fewer than 0: given back), nano-dollars that
 * were spent.
 */
export const SETTLE_SCRIPT: string = `${BEGIN_LUA}
local id, admittedAt, told, nanos = ARGV[4], ARGV[5], tonumber(ARGV[6]), safe(tonumber(ARGV[7]))
local tokens = told and told < 0 and -safe(-told) or safe(told)
local settledKey = prefix .. 'settled:' .. id
if redis.call('EXISTS', settledKey) == 1 then return 0 end
local admittedKey = prefix .. 'admitted:' .. id
-- The first of several admissions is what counts, whichever was heard of.
local admittedIn, held = string.match(redis.call('GET', admittedKey) or '', '^(%d+) (%d+)$')
if admittedIn then
  -- It may have been let in although nobody heard of it: then its tokens are counted already.
  if admittedAt == '' then tokens = tokens - tonumber(held) end
elseif admittedAt ~= '' then
  admittedIn = whole(math.floor(tonumber(admittedAt) / 1000))
end
local last = admittedIn and tonumber(redis.call('HGET', rateKey, 'l' .. admittedIn) or 0) or 0
if tokens ~= 0 and last + WINDOW > now then
  redis.call('HINCRBY', rateKey, 't' .. admittedIn, whole(tokens))
elseif tokens > 0 then
  -- What was held has left the window, and what is used beyond it has never been in it.
  count('t', tokens)
end
release(owner, id)
spend(owner, nanos, now)
-- Last: what could not be counted may be sent again.
redis.call('SET', settledKey, '1', 'PX', WINDOW)
redis.call('DEL', admittedKey)
return 1
`;

/** Answers `{now, held, day, month, total}`: milliseconds, then nano-dollars. */
export const SPENDING_SCRIPT: string = `${BEGIN_LUA}
leftOf(owner, 'total', 0, now)
return {
  now,
  tonumber(redis.call('HGET', budgetKey(owner), 'held') or 0),
  spentIn(owner, 'day', now),
  spentIn(owner, 'month', now),
  spentIn(owner, 'total', now),
}
`;
