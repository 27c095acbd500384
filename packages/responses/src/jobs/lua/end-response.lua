--[[
  Ends a response: stores its final record and items, appends the last event to its log, and adds the event of webhooks to
  the outbox of `packages/webhooks`. If its usage must be charged, the job remains until then.

  ARGV: the arguments of `job`, epoch ('' for a client, which ends the response of any worker), record ('' if it does not
  change), retention in ms, type of the last event ('' for none) and its JSON without braces, type of the webhook event
  ('' for none), owner and id of the response, usage to charge ('' for none), lease in ms for the charge, keys and values of items.
  Returns {1, the admission if no upstream was called, or ''}, or {0} if the job does not exist or the worker has lost it.
]]
--- @include "includes/log"
local epoch, record, lifeMs = ARGV[2], ARGV[3], ARGV[4]
local eventType, eventJson, webhookEvent = ARGV[5], ARGV[6], ARGV[7]
local owner, id, usage, leaseMs = ARGV[8], ARGV[9], ARGV[10], tonumber(ARGV[11])

local state, admission = unpack(redis.call('HMGET', job, 'state', 'admission'))
if not state or state == 'ended' or (epoch ~= '' and not isClaimed(epoch)) then return { 0 } end

if record ~= '' then redis.call('SET', textPrefix .. 'response:' .. ref, record, 'PX', lifeMs, 'XX') end
redis.call('DEL', textPrefix .. 'alive:' .. ref)
for at = 12, #ARGV, 2 do redis.call('SET', ARGV[at], ARGV[at + 1], 'PX', lifeMs) end
if eventType ~= '' then
  local number = redis.call('HGET', job, 'next') or '0'
  local event = 'event: ' .. eventType .. '\ndata: {"type":"' .. eventType .. '","sequence_number":' .. number
    .. ',' .. eventJson .. '}\n\n'
  appendEvents(tonumber(number), tonumber(number), event, math.huge, lifeMs, true)
end
local webhooks = prefix .. 'webhooks:'
if webhookEvent ~= '' and redis.call('EXISTS', webhooks .. 'of:' .. owner) == 1 then
  redis.call('RPUSH', webhooks .. 'outbox', cjson.encode({ event = webhookEvent, task = id, owner = owner, at = now() }))
end
if usage == '' then
  removeJob()
else
  charge(usage, leaseMs)
end
return { 1, state == 'queued' and admission or '' }
