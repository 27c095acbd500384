--[[
  The spending of keys, and reservations for requests and tasks in flight. The limit scripts and the task scripts share it.
  It needs `prefix` in scope.

  Amounts are whole nano-dollars. A token at 0.15 dollars a million costs 150 of them, so nothing is rounded, and a million
  dollars still fit a Lua number exactly.

  `budget:<owner>` has the reserved amount (`held`), `total`, and for `day` and `month` the amount and its period (`dayOf`,
  `monthOf`). Reservations of requests are in `budget_amounts:<owner>` and expire at their score in `budget_open:<owner>`,
  because their process may have died. The reservation of a task is in the task's record and does not expire.
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

-- Nine million dollars. Lua, JavaScript, and Redis count up to here exactly.
local MAX_NANOS = 9e15

-- Returns a valid amount. Redis does not undo a script that fails halfway, so no command may fail because of an amount.
local function clampAmount(amount)
  if not amount or amount ~= amount or amount < 0 then return 0 end
  return math.min(amount, MAX_NANOS)
end

-- Formats a whole number for a Redis command. Lua writes the negation of 0 as '-0', which no command accepts.
local function integer(number)
  if number < 0 then number = -clampAmount(-number) else number = clampAmount(number) end
  local text = string.format('%.0f', number)
  return text == '-0' and '0' or text
end

local function serverTime()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Redis' Lua has no calendar: this is civil_from_days by Howard Hinnant, days since 1970 to year and month.
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

-- The amount that is reserved for requests and tasks in flight.
local function reserved(owner)
  return tonumber(redis.call('HGET', budgetKey(owner), 'held') or 0)
end

-- Releases the reservation of a request; does nothing the second time.
local function release(owner, id)
  local amount = redis.call('HGET', reservationsKey(owner), id)
  if not amount then return end
  redis.call('HDEL', reservationsKey(owner), id)
  redis.call('ZREM', openKey(owner), id)
  reserve(owner, -tonumber(amount))
end

local function remaining(owner, period, limit, ms)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', openKey(owner), '-inf', ms, 'LIMIT', 0, 1000)) do
    release(owner, id)
  end
  return limit - spentIn(owner, period, ms) - reserved(owner)
end

local function spend(owner, nanos, ms)
  local key, current = budgetKey(owner), periodsAt(ms)
  nanos = clampAmount(nanos)
  if nanos == 0 then return end
  local function add(period)
    local capacity = clampAmount(MAX_NANOS - tonumber(redis.call('HGET', key, period) or 0))
    redis.call('HINCRBY', key, period, integer(math.min(nanos, capacity)))
  end
  for period, name in pairs(current) do
    if redis.call('HGET', key, period .. 'Of') ~= name then redis.call('HSET', key, period, 0, period .. 'Of', name) end
    add(period)
  end
  add('total')
end
