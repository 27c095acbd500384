--[[
  Schedules deliveries by owner and host. ARGV: prefix, now, maximum attempts in flight per host, and per owner.

  Each owner has a queue per host, `due:<host> <owner>`, sorted by the time of the next attempt. The host comes from
  the current URL, because a webhook's URL may change. An attempt in flight has a lease in `leased`,
  `leased_at:<host>`, and `leased_by:<owner>`, sorted by the end of the lease. A host has at most `perHost` leases,
  and an owner has at most `perOwner`. So a slow server does not delay other owners, and neither does an owner with
  many slow servers.

  `hosts:<owner>` contains an owner's hosts, sorted by the time of the next possible attempt. This is when the first
  delivery is due or, if the host has no free slot, when the first lease ends. `owners` contains the owners, sorted by
  the earliest of these times. An owner whose due delivery waits for a slot of a host is also in `line:<host>`, sorted
  by arrival. When an attempt at the host ends, the first owners in line are served.
]]
local prefix, now, perHost, perOwner = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

local function queueOf(owner, host)
  return prefix .. 'due:' .. host .. ' ' .. owner
end

local function first(key)
  return tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2])
end

-- Counts a host's or owner's leases that have not ended.
local function countLeases(leases)
  redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)
  return redis.call('ZCARD', leases)
end

local function schedule(key, member, at)
  if at then redis.call('ZADD', key, at, member) else redis.call('ZREM', key, member) end
end

local function indexOwner(owner)
  local at = first(prefix .. 'hosts:' .. owner)
  local leases = prefix .. 'leased_by:' .. owner
  if at and countLeases(leases) >= perOwner then at = math.max(at, first(leases)) end
  schedule(prefix .. 'owners', owner, at)
end

local function index(owner, host)
  local at = first(queueOf(owner, host))
  local leases = prefix .. 'leased_at:' .. host
  if at and at <= now and countLeases(leases) >= perHost then
    redis.call('ZADD', prefix .. 'line:' .. host, 'NX', now, owner)
    at = first(leases)
  else
    redis.call('ZREM', prefix .. 'line:' .. host, owner)
  end
  schedule(prefix .. 'hosts:' .. owner, host, at)
  indexOwner(owner)
end

-- Adds a delivery to the queue of its current host.
local function enqueue(id, at)
  local key = prefix .. 'delivery:' .. id
  local owner, webhook, callback, before = unpack(redis.call('HMGET', key, 'owner', 'webhook', 'callback', 'host'))
  local url = webhook == '' and callback or redis.call('HGET', prefix .. 'webhook:' .. webhook, 'url')
  local host = url and (string.match(url, '^%a+://([^/?#]+)') or 'nowhere') or before
  if before and before ~= host and redis.call('ZREM', queueOf(owner, before), id) == 1 then index(owner, before) end
  redis.call('ZADD', queueOf(owner, host), at, id)
  redis.call('HSET', key, 'dueAt', at, 'host', host)
  index(owner, host)
end

local function logDelivery(log, id, retentionMs)
  redis.call('ZREMRANGEBYSCORE', log, '-inf', now - retentionMs)
  redis.call('ZADD', log, now, id)
  redis.call('PEXPIRE', log, retentionMs)
end

-- Records a delivery only once, because its id is derived from the event and the recipient.
local function record(event, owner, webhook, url, retentionMs)
  local id = 'whd_' .. string.sub(event.id, 5) .. '_' .. (webhook == '' and 'callback' or string.sub(webhook, 5))
  local key = prefix .. 'delivery:' .. id
  if redis.call('EXISTS', key) == 1 then return id end
  redis.call('HSET', key, 'id', id, 'owner', owner, 'webhook', webhook, 'status', 'pending',
    'event', event.id, 'type', event.type, 'task', event.task, 'at', event.at, 'createdAt', now,
    'callback', webhook == '' and url or '', 'shape', event.shape or 'event', 'tries', 0, 'claims', 0)
  redis.call('PEXPIRE', key, retentionMs)
  logDelivery(prefix .. 'log:' .. owner, id, retentionMs)
  if webhook ~= '' then logDelivery(prefix .. 'webhook_log:' .. webhook, id, retentionMs) end
  redis.call('HINCRBY', prefix .. 'stats', 'pending', 1)
  enqueue(id, now)
  return id
end
