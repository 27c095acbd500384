--[[
  Records the outcome of a claim, unless the delivery has been claimed again or the outcome is already recorded.
  `delivered` and `failed` end the delivery, `retry` schedules the next attempt, and `release` undoes the claim.

  If a delivery was not sent because its recipient or its task no longer exists, the statistics do not count it as
  failed.

  ARGV: the arguments of `queues`, then id, claim, outcome, the attempt as JSON or '', time of the next attempt, the
  attempt's class, the response as JSON or ''.
  Returns 1, or 0 if nothing was written.
]]
--- @include "includes/leases"
local MAX_ATTEMPTS = 32
local MAX_RESPONSES = 8
local UNSENT = { webhook_deleted = true, webhook_disabled = true, task_deleted = true, key_revoked = true }
local id, claim, outcome, attempt, at, class = ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10]
local response = ARGV[11] or ''
local key, stats = prefix .. 'delivery:' .. id, prefix .. 'stats'
local known = redis.call('HMGET', key, 'claims', 'owner', 'host')
if known[1] ~= claim or not endLease(id, known[2], known[3]) then return 0 end

-- Adds to a list of the delivery, which expires with the delivery.
local function append(list, json, limit)
  redis.call('RPUSH', list, json)
  redis.call('LTRIM', list, -limit, -1)
  redis.call('PEXPIRE', list, math.max(1, redis.call('PTTL', key)))
end

if response ~= '' then append(prefix .. 'responses:' .. id, response, MAX_RESPONSES) end
if attempt ~= '' then
  append(prefix .. 'attempts:' .. id, attempt, MAX_ATTEMPTS)
  redis.call('HINCRBY', key, 'tries', 1)
  redis.call('HINCRBY', stats, 'attempts:' .. class, 1)
end
if outcome == 'retry' or outcome == 'release' then
  enqueue(id, at)
else
  redis.call('HSET', key, 'status', outcome)
  redis.call('HDEL', key, 'dueAt')
  redis.call('HINCRBY', stats, 'pending', -1)
  if not UNSENT[class] then redis.call('HINCRBY', stats, outcome, 1) end
end
return 1
