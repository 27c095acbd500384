/**
 * Lua shared by all scripts that touch money, here and in the task engine: what a key has spent, and what is held for
 * requests and tasks that are under way. A script that uses it has `prefix` in scope.
 *
 * Sums are whole nano-dollars: a token at 0.15 dollars a million is 150 of them, so that nothing is rounded away, and a
 * million dollars still fit a Lua number exactly.
 *
 * `budget:<owner>` has `held`, `total`, and for `day` and `month` the sum and the period that it belongs to (`dayOf`,
 * `monthOf`). What is held for requests stands in `budget_amounts:<owner>` and lapses at the score that it has in
 * `budget_open:<owner>`: its process may have died. What is held for a task stands in the task's record and does not.
 */
export const BUDGET_LUA = `
local function budgetKey(owner)
  return prefix .. 'budget:' .. owner
end

local function amountsKey(owner)
  return prefix .. 'budget_amounts:' .. owner
end

local function openKey(owner)
  return prefix .. 'budget_open:' .. owner
end

-- The largest sum, nine million dollars: Lua, JavaScript and what lies between them count it exactly.
local MOST = 9e15

-- What can be added, whatever was told. A script that fails halfway is not undone, so no command may refuse its number.
local function safe(amount)
  if not amount or amount ~= amount or amount < 0 then return 0 end
  return math.min(amount, MOST)
end

-- A whole number as commands take it, whatever was told: none takes '-0', which is how Lua writes the opposite of 0.
local function whole(number)
  if number < 0 then number = -safe(-number) else number = safe(number) end
  local text = string.format('%.0f', number)
  return text == '-0' and '0' or text
end

local function serverTime()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Days since 1970 to year and month, as in Howard Hinnant's civil_from_days: Redis' Lua has no calendar.
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
  return { day = whole(day), month = string.format('%d-%02d', year, month) }
end

local function spentIn(owner, period, ms)
  local sum = redis.call('HMGET', budgetKey(owner), period, period .. 'Of')
  if period ~= 'total' and sum[2] ~= periodsAt(ms)[period] then return 0 end
  return tonumber(sum[1] or 0)
end

local function hold(owner, nanos)
  redis.call('HINCRBY', budgetKey(owner), 'held', whole(nanos))
end

-- Gives back what is held for one request, once.
local function release(owner, id)
  local amount = redis.call('HGET', amountsKey(owner), id)
  if not amount then return end
  redis.call('HDEL', amountsKey(owner), id)
  redis.call('ZREM', openKey(owner), id)
  hold(owner, -tonumber(amount))
end

local function leftOf(owner, period, most, ms)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', openKey(owner), '-inf', ms, 'LIMIT', 0, 1000)) do
    release(owner, id)
  end
  return most - spentIn(owner, period, ms) - tonumber(redis.call('HGET', budgetKey(owner), 'held') or 0)
end

local function spend(owner, nanos, ms)
  local key, current = budgetKey(owner), periodsAt(ms)
  nanos = safe(nanos)
  if nanos == 0 then return end
  local function add(period)
    local room = safe(MOST - tonumber(redis.call('HGET', key, period) or 0))
    redis.call('HINCRBY', key, period, whole(math.min(nanos, room)))
  end
  for period, name in pairs(current) do
    if redis.call('HGET', key, period .. 'Of') ~= name then redis.call('HSET', key, period, 0, period .. 'Of', name) end
    add(period)
  end
  add('total')
end
`;
