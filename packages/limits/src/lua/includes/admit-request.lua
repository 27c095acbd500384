--[[
  Admits a request, or returns the limit that the request exceeds. All limits are checked in one script call, so that
  concurrent processes cannot exceed a limit together.

  Arguments: the request's id, requests per minute, tokens per minute, budget in nano-dollars (each '' if unlimited), the
  budget's period, tokens and nano-dollars to reserve.

  Returns {decision, milliseconds until a retry can succeed, current time, remaining requests, milliseconds until the
  requests reset, remaining tokens, milliseconds until the tokens reset}. For the decision BUDGET, the remaining and the
  reserved nano-dollars are added. SIZE means that the request alone exceeds the tokens per minute.
]]
local ADMISSION_SIZE = 9
local ADMITTED, REQUESTS, TOKENS, SIZE, BUDGET = 0, 1, 2, 3, 4

-- Returns the milliseconds until enough slots have expired to admit the request.
local function waitFor(window, kind, excess)
  local counted = {}
  for _, slot in pairs(window.slots) do table.insert(counted, slot) end
  table.sort(counted, function(a, b) return a.last < b.last end)
  for _, slot in ipairs(counted) do
    excess = excess - slot[kind]
    if excess <= 0 then return slot.last + WINDOW - now end
  end
  return WINDOW
end

local function resetOf(window, kind)
  local reset = 0
  for _, slot in pairs(window.slots) do
    if slot[kind] > 0 then reset = math.max(reset, slot.last + WINDOW - now) end
  end
  return reset
end

local function admitRequest(owner, at)
  local id, requestLimit, tokenLimit = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local budget, period = tonumber(ARGV[at + 3]), ARGV[at + 4]
  local tokens, nanos = tonumber(ARGV[at + 5]), tonumber(ARGV[at + 6])
  -- A negative amount would raise the limit, and NaN would pass every comparison.
  if clampAmount(tokens) ~= tokens or clampAmount(nanos) ~= nanos then
    return redis.error_reply('ERR tokens and nano-dollars must be numbers from 0 to 9e15')
  end

  local window = windowOf(owner)
  local function stateOf(kind, limit)
    if not limit then return 0, 0 end
    return math.max(0, limit - window[kind]), resetOf(window, kind)
  end
  local function reply(decision, waitMs)
    local requests, requestsReset = stateOf('r', requestLimit)
    local remainingTokens, tokensReset = stateOf('t', tokenLimit)
    return { decision, waitMs, now, requests, requestsReset, remainingTokens, tokensReset }
  end

  -- ioredis resends a command if the reply was lost. An admitted request must not be counted twice.
  local admittedKey = prefix .. 'admitted:' .. id
  if redis.call('EXISTS', admittedKey, prefix .. 'settled:' .. id) > 0 then return reply(ADMITTED, 0) end
  if budget and redis.call('HEXISTS', reservationsKey(owner), id) == 1 then return reply(ADMITTED, 0) end

  if tokenLimit and tokens > tokenLimit then return reply(SIZE, 0) end
  local excess = requestLimit and window.r + 1 - requestLimit or 0
  if excess > 0 then return reply(REQUESTS, waitFor(window, 'r', excess)) end
  excess = tokenLimit and window.t + tokens - tokenLimit or 0
  if excess > 0 then return reply(TOKENS, waitFor(window, 't', excess)) end
  if budget then
    local balance = remaining(owner, period, budget, now)
    if balance <= 0 or nanos > balance then
      local refusal = reply(BUDGET, 0)
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
  local counted = tokenLimit and tokens or 0
  if requestLimit or counted > 0 then count(owner, requestLimit and 1 or 0, counted) end
  redis.call('SET', admittedKey, second .. ' ' .. integer(counted), 'PX', WINDOW)
  return reply(ADMITTED, 0)
end
