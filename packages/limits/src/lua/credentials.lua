--[=[
  Exchanges the state of credentials between API processes. ARGV: prefix, process, lifetime of a lease in milliseconds,
  `last` if the process stops, and the process's report as JSON:

    { credentials = [{ account, load, limits = { name = [limit, held, wanted] }, spent, period, periodMs }],
      rests = [[account, reason, ms, hash of the secret]] }

  A process holds a part of each limit. The parts of all processes never exceed the limit: a process gets only what the
  others do not hold. If another process lacks its part, each one that could use more holds an equal part at most. A
  smaller part counts only when the process reports that it holds no more, because it may have used more in the meantime.
  A process that stops keeps only what it has used. `ms` is -1 for a rest without an end. An empty reason ends a rest.

  Returns JSON: { credentials = [[{ name = held }, load of the other processes, spent in the period]],
  rests = [[account, number, reason, ms, hash of the secret]] }. A later rest of an account has a higher number.
]=]
local prefix, process, leaseMs = ARGV[1], ARGV[2], tonumber(ARGV[3])
local isLast = ARGV[4] == 'last'
local report = cjson.decode(ARGV[5])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

-- The leases of the other processes.
local function othersOf(key)
  local others = {}
  local leases = redis.call('HGETALL', key)
  for at = 1, #leases, 2 do
    if leases[at] ~= process then
      local lease = cjson.decode(leases[at + 1])
      if lease.untilMs > now then
        others[#others + 1] = lease
      else
        redis.call('HDEL', key, leases[at])
      end
    end
  end
  return others
end

local function target(name, limit, wanted, others)
  local free, isShort, users = limit, false, 1
  for _, other in ipairs(others) do
    local part = other.limits[name]
    if part then
      free = free - part[1]
      if part[2] > part[1] then isShort = true end
      if part[2] > 0 then users = users + 1 end
    end
  end
  if isShort then return math.min(wanted, math.ceil(limit / users), free) end
  -- Idle processes hold a part too, so that their first call does not wait.
  return math.min(math.max(wanted, math.floor(limit / (#others + 1))), free)
end

local function spend(account, one)
  local key = prefix .. 'credentials:spent:' .. account .. ':' .. one.period
  local spent = redis.call('INCRBY', key, one.spent)
  if one.periodMs > 0 then redis.call('PEXPIRE', key, one.periodMs) end
  return spent
end

local replies = {}
for index, one in ipairs(report.credentials) do
  local key = prefix .. 'credentials:leases:' .. one.account
  local others = othersOf(key)
  local load, held, parts = 0, {}, {}
  for _, other in ipairs(others) do load = load + other.load end
  for name, limit in pairs(one.limits) do
    held[name] = isLast and 0 or math.max(0, target(name, limit[1], limit[3], others))
    parts[name] = { math.max(held[name], limit[2]), limit[3] }
  end
  redis.call('HSET', key, process, cjson.encode({ untilMs = now + leaseMs, load = one.load, limits = parts }))
  if redis.call('PTTL', key) < leaseMs then redis.call('PEXPIRE', key, leaseMs) end
  replies[index] = { held, load, one.period and spend(one.account, one) or 0 }
end

local restKey = prefix .. 'credentials:rests'
for _, rest in ipairs(report.rests) do
  local number = redis.call('HINCRBY', restKey, '', 1)
  local untilMs = rest[3] < 0 and -1 or now + rest[3]
  redis.call('HSET', restKey, rest[1], cjson.encode({ number, rest[2], untilMs, rest[4] }))
end
local rests = {}
local stored = redis.call('HGETALL', restKey)
for at = 1, #stored, 2 do
  if stored[at] ~= '' then
    local rest = cjson.decode(stored[at + 1])
    local isOld = rest[3] > 0 and now - rest[3] > 86400000
    if isOld then redis.call('HDEL', restKey, stored[at]) end
    local ms = rest[3] < 0 and -1 or math.max(0, rest[3] - now)
    rests[#rests + 1] = { stored[at], rest[1], rest[2], ms, rest[4] }
  end
end
-- An empty list would become an object.
return cjson.encode({ credentials = #replies > 0 and replies or nil, rests = #rests > 0 and rests or nil })
