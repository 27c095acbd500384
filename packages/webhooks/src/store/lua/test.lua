--[[
  Sends a test event to a webhook, unless a test of the same type is pending. `tests:<webhook>` has the latest tests;
  older tests are removed.
  ARGV: the arguments of `queues`, then webhook, owner, event id, event type, retention in ms. Returns the id of the
  new or pending delivery, or '' if the owner has no webhook with this id.
]]
--- @include "includes/queues"
local MAX_TESTS = 10
local TEST_LIFE_MS = 3600000
local webhook, owner, type = ARGV[5], ARGV[6], ARGV[8]
local known = redis.call('HMGET', prefix .. 'webhook:' .. webhook, 'owner', 'url')
if known[1] ~= owner then return '' end
local tests = prefix .. 'tests:' .. webhook
for _, id in ipairs(redis.call('LRANGE', tests, 0, -1)) do
  local test = redis.call('HMGET', prefix .. 'delivery:' .. id, 'status', 'type')
  if test[1] == 'pending' and test[2] == type then return id end
end
local event = { id = ARGV[7], type = type, task = '', at = now }
local id = record(event, owner, webhook, known[2], tonumber(ARGV[9]))
redis.call('PEXPIRE', prefix .. 'delivery:' .. id, math.min(tonumber(ARGV[9]), TEST_LIFE_MS))
redis.call('LPUSH', tests, id)
redis.call('PEXPIRE', tests, TEST_LIFE_MS)
for _ = MAX_TESTS + 1, redis.call('LLEN', tests) do
  local old = redis.call('RPOP', tests)
  -- If a removed test is pending again after a redelivery, a claim later finds it missing and corrects the pending
  -- count.
  redis.call('DEL', prefix .. 'delivery:' .. old, prefix .. 'attempts:' .. old, prefix .. 'responses:' .. old)
  redis.call('ZREM', prefix .. 'log:' .. owner, old)
  redis.call('ZREM', prefix .. 'webhook_log:' .. webhook, old)
end
return id
