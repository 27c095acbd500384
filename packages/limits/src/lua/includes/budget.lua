--[[
  Functions for a key's spending, and for the amounts reserved for requests, tasks, and batches in flight. The scripts
  of limits, tasks, and batches include this file and must define `prefix`.

  Amounts are whole nano-dollars. At 0.15 dollars per million tokens, a token costs 150 nano-dollars, so nothing is
  rounded. A Lua number can represent a million dollars exactly.

  The hash `budget:<owner>` contains the reserved amount (`held`), the `total` spending, and the spending in the current
  `day` and `month` with the names of these periods (`dayOf`, `monthOf`). A request's reservation is in
  `budget_amounts:<owner>`. It expires at its score in `budget_open:<owner>`, because the process may have died. The
  reservation of a task, a batch, or a background response is in its record (`heldNanos`) and does not expire.
]]
local function budgetKey(owner)
  return prefix .. 'budget:' .. owner
end

local function reservationsKey(owner)
  return prefix .. 'budget_amounts:' .. owner
end

local function openKey(owner)
  return prefix .. 'budget_open:' .. owner
end

-- Nine million dollars. Lua, JavaScript, and Redis represent all integers up to this value exactly.
local MAX_NANOS = 9e15

-- Returns a valid amount. Redis does not roll back a script that fails, so no amount may make a command fail.
local function clampAmount(amount)
  if not amount or amount ~= amount or amount < 0 then return 0 end
  return math.min(amount, MAX_NANOS)
end

-- Formats a whole number for a Redis command. Lua formats the negation of 0 as '-0', which Redis rejects.
local function integer(number)
  if number < 0 then number = -clampAmount(-number) else number = clampAmount(number) end
  local text = string.format('%.0f', number)
  return text == '-0' and '0' or text
end

local function serverTime()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Returns the UTC day and month. Redis's Lua has no calendar functions, so this uses Howard Hinnant's civil_from_days
-- algorithm, which converts days since 1970 to a year and a month.
local function periodsAt(ms)
  local day = math.floor(ms / 86400000)
  local shifted = day + 719468
  local era = math.floor(shifted / 146097)
  local dayOfEra = shifted - era * 146097
  local yearOfEra = math.floor(
    (dayOfEra - math.floor(dayOfEra / 1460) + math.floor(dayOfEra / 36524) - math.floor(dayOfEra / 146096)) / 365)
  local dayOfYear = dayOfEra - (365 * yearOfEra + math.floor(yearOfEra / 4) - math.floor(yearOfEra / 100))
  local marchMonth = math.floor((5 * dayOfYear + 2) / 153)
  local month = marchMonth < 10 and marchMonth + 3 or marchMonth - 9
  local year = yearOfEra + era * 400 + (month <= 2 and 1 or 0)
  return { day = integer(day), month = string.format('%d-%02d', year, month) }
end

local function spentIn(owner, period, ms)
  local spent = redis.call('HMGET', budgetKey(owner), period, period .. 'Of')
  if period ~= 'total' and spent[2] ~= periodsAt(ms)[period] then return 0 end
  return tonumber(spent[1] or 0)
end

local function reserve(owner, nanos)
  redis.call('HINCRBY', budgetKey(owner), 'held', integer(nanos))
end

-- Returns the amount reserved for requests, tasks, and batches in flight.
local function reserved(owner)
  return tonumber(redis.call('HGET', budgetKey(owner), 'held') or 0)
end

-- Releases a request's reservation. Repeated calls have no effect.
local function release(owner, id)
  local amount = redis.call('HGET', reservationsKey(owner), id)
  if not amount then return end
  redis.call('HDEL', reservationsKey(owner), id)
  redis.call('ZREM', openKey(owner), id)
  reserve(owner, -tonumber(amount))
end

-- Reserves an amount for a task, a batch, or a background response.
local function reserveFor(recordKey, owner, nanos)
  local amount = clampAmount(nanos)
  reserve(owner, amount)
  redis.call('HSET', recordKey, 'heldNanos', integer(amount))
end

-- Releases the reservation of a record, or at most `nanos` of it. Without a reservation, it has no effect.
local function releaseFrom(recordKey, owner, nanos)
  local held = redis.call('HGET', recordKey, 'heldNanos')
  if not held then return end
  held = clampAmount(tonumber(held))
  local released = math.min(held, nanos or held)
  if released < held then
    redis.call('HSET', recordKey, 'heldNanos', integer(held - released))
  else
    redis.call('HDEL', recordKey, 'heldNanos')
  end
  reserve(owner, -released)
end

local function remaining(owner, period, limit, ms)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', openKey(owner), '-inf', ms, 'LIMIT', 0, 1000)) do
    release(owner, id)
  end
  return limit - spentIn(owner, period, ms) - reserved(owner)
end

local function spend(owner, nanos, ms)
  nanos = clampAmount(nanos)
  if nanos == 0 then return end
  local key, current = budgetKey(owner), periodsAt(ms)
  local stored = redis.call('HMGET', key, 'day', 'dayOf', 'month', 'monthOf', 'total')
  local function sum(spent)
    spent = tonumber(spent or 0)
    return integer(spent + math.min(nanos, clampAmount(MAX_NANOS - spent)))
  end
  local day = sum(stored[2] == current.day and stored[1])
  local month = sum(stored[4] == current.month and stored[3])
  redis.call('HSET', key, 'day', day, 'dayOf', current.day, 'month', month, 'monthOf', current.month, 'total', sum(stored[5]))
end
