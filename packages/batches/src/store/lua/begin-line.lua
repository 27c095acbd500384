--[[
  Records the intent to send a line, before it is sent. ARGV: id, job, token, line, attempt.
  Returns `begun`, or why the line must not be sent: `lost` (lease), `done`, `paused`, `expired`, `cancelled`, or `unknown`
  if an earlier attempt has no result and the batch does not repeat such lines.
]]
--- @include "includes/keys"
--- @include "includes/jobs"
local id, job, token, line, attempt = unpack(ARGV)
if not has_lease(id, job, token) then return 'lost' end
local key = lines_key(id, job)
if redis.call('HEXISTS', key, 'r' .. line) == 1 then return 'done' end
local closing, paused, retryUnknown = unpack(redis.call('HMGET', batch_key(id), 'closing', 'paused', 'retryUnknown'))
local intent = redis.call('HGET', key, 'i' .. line)
local isUnknown = intent and intent ~= attempt
if isUnknown and (retryUnknown ~= '1' or closing ~= '') then return 'unknown' end
if closing ~= '' then return closing end
if paused == '1' then return 'paused' end
redis.call('HSET', key, 'i' .. line, attempt)
return 'begun'
