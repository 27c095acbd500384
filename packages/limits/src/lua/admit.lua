--[[
  Admits a request, or returns the limit that the request exceeds. All limits are checked in one script call, so that
  concurrent processes cannot exceed a limit together.

  ARGV[4] and later: requests per minute, tokens per minute, budget in nano-dollars (each '' if unlimited), the budget's
  period, tokens and nano-dollars to reserve, the request's id, lifetime of the reservation in milliseconds.

  Returns {decision, milliseconds until a retry can succeed, current time, remaining requests, milliseconds until the
  requests reset, remaining tokens, milliseconds until the tokens reset}. For the decision `budget`, the remaining and
  the reserved nano-dollars are added. Decisions: `admitted`, `requests`, `tokens`, `size` (the request alone exceeds
  the tokens per minute), `budget`.
]]
--- @include "includes/rates"
local limits = { r = tonumber(ARGV[4]), t = tonumber(ARGV[5]) }
local budget, period = tonumber(ARGV[6]), ARGV[7]
local requested = { r = 1, t = tonumber(ARGV[8]) }
local nanos, id, lifeMs = tonumber(ARGV[9]), ARGV[10], tonumber(ARGV[11])

-- A negative amount would raise the limit, and NaN would pass every comparison.
if clampAmount(requested.t) ~= requested.t or clampAmount(nanos) ~= nanos then
  return redis.error_reply('ERR tokens and nano-dollars must be numbers from 0 to 9e15')
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

local function expiresIn(slot)
  return slot.last + WINDOW - now
end

-- Returns the milliseconds until enough slots have expired to admit the request.
local function waitFor(kind)
  local excess = used[kind] + requested[kind] - limits[kind]
  table.sort(slots[kind], function(a, b) return a.last < b.last end)
  for _, slot in ipairs(slots[kind]) do
    excess = excess - slot.amount
    if excess <= 0 then return expiresIn(slot) end
  end
  return WINDOW
end

local function resetOf(kind)
  local reset = 0
  for _, slot in ipairs(slots[kind]) do
    if slot.amount > 0 then reset = math.max(reset, expiresIn(slot)) end
  end
  return reset
end

local function reply(decision, waitMs)
  local function remainingOf(kind)
    return limits[kind] and math.max(0, limits[kind] - used[kind]) or 0
  end
  return { decision, waitMs, now, remainingOf('r'), resetOf('r'), remainingOf('t'), resetOf('t') }
end

-- ioredis resends a command if the reply was lost. An admitted request must not be counted twice.
local admittedKey = prefix .. 'admitted:' .. id
if redis.call('EXISTS', admittedKey, prefix .. 'settled:' .. id) > 0 then return reply('admitted', 0) end
if budget and redis.call('HEXISTS', reservationsKey(owner), id) == 1 then return reply('admitted', 0) end

if limits.t and requested.t > limits.t then return reply('size', 0) end
if limits.r and used.r + requested.r > limits.r then return reply('requests', waitFor('r')) end
if limits.t and used.t + requested.t > limits.t then return reply('tokens', waitFor('t')) end
if budget then
  local balance = remaining(owner, period, budget, now)
  if balance <= 0 or nanos > balance then
    local refusal = reply('budget', 0)
    table.insert(refusal, balance)
    table.insert(refusal, reserved(owner))
    return refusal
  end
  if nanos > 0 then
    redis.call('HSET', reservationsKey(owner), id, integer(nanos))
    redis.call('ZADD', openKey(owner), now + lifeMs, id)
    reserve(owner, nanos)
  end
end
for _, kind in ipairs({ 'r', 't' }) do
  if limits[kind] and requested[kind] > 0 then
    count(kind, requested[kind])
    used[kind] = used[kind] + requested[kind]
    table.insert(slots[kind], { last = now, amount = requested[kind] })
  end
end
redis.call('SET', admittedKey, second .. ' ' .. integer(limits.t and requested.t or 0), 'PX', WINDOW)
return reply('admitted', 0)
