--[[
  Stores a response with its job. ARGV: the arguments of `job`, kind, delay in ms, retention in ms, the record, number of
  the first events, the first events as text, name of the key of the idempotency key or '', digest of the request,
  lifetime of an idempotency key in ms, id of the response, id of the request's reservation or '', fields and values of
  the job.
  Returns {'created'}, {'exists'} if the response exists, e.g. because the call was resent, {'replay', id of the earlier
  response}, or {'conflict'}.
]]
--- @include "includes/log"
local kind, delayMs, lifeMs, record = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local events, text = tonumber(ARGV[6]), ARGV[7]
if redis.call('EXISTS', textPrefix .. 'response:' .. ref) == 1 then return { 'exists' } end
local repetition, digest, id = ARGV[8], ARGV[9], ARGV[11]
if repetition ~= '' then
  local known = redis.call('HMGET', repetition, 'id', 'digest', 'ref')
  -- The earlier response may have been deleted.
  if known[1] and redis.call('EXISTS', textPrefix .. 'response:' .. known[3]) == 1 then
    return known[2] == digest and { 'replay', known[1] } or { 'conflict' }
  end
  redis.call('HSET', repetition, 'id', id, 'digest', digest, 'ref', ref)
  redis.call('PEXPIRE', repetition, ARGV[10])
end
redis.call('SET', textPrefix .. 'response:' .. ref, record, 'PX', lifeMs)
redis.call('HSET', job, 'kind', kind, 'state', 'queued', 'epoch', 0, 'id', id, unpack(ARGV, 13))
local owner = redis.call('HGET', job, 'owner')
if ARGV[12] ~= '' then takeReservation(owner, ARGV[12]) end
-- A job with a reservation is removed only with it.
if redis.call('HEXISTS', job, 'heldNanos') == 0 then redis.call('PEXPIRE', job, lifeMs) end
if kind == 'run' then redis.call('SET', textPrefix .. 'alive:' .. ref, '1', 'PX', lifeMs) end
if events > 0 then appendEvents(0, events - 1, text, math.huge, lifeMs, false) end
if kind == 'run' then wait(owner) else schedule(delayMs) end
return { 'created' }
