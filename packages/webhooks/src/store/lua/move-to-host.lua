--[[
  Moves pending deliveries of a webhook to the host of its current URL, so that they do not wait for the previous
  host.
  ARGV: the arguments of `queues`, then the webhook, the number of its deliveries to skip, and the number to examine.
  Returns the number of examined deliveries.
]]
--- @include "includes/queues"
local from, limit = tonumber(ARGV[6]), tonumber(ARGV[7])
local ids = redis.call('ZREVRANGE', prefix .. 'webhook_log:' .. ARGV[5], from, from + limit - 1)
for _, id in ipairs(ids) do
  local owner, host = unpack(redis.call('HMGET', prefix .. 'delivery:' .. id, 'owner', 'host'))
  local at = owner and redis.call('ZSCORE', queueOf(owner, host), id)
  if at then enqueue(id, at) end
end
return #ids
