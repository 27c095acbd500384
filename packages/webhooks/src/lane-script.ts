/**
 * Lua shared by all scripts: what is due, by host.
 *
 * A delivery stands in the lane of its host: in `due:<lane>` by the time of its next attempt, and during an attempt in
 * `leased:<lane>` by the end of the lease. A lane with `perHost` leases gives no more, so that a slow server delays
 * nobody else. `lanes` holds each lane by the time at which something can be done for it: its next delivery, unless it is
 * full, or the end of its first lease.
 *
 * Lanes bound what one host takes, not what one owner takes, who may name any number of hosts. So an owner's leases stand
 * in `leased_by:<owner>` as well; with `perOwner` of them, what else is due to that owner is taken out of the lanes into
 * `held:<owner>` by its time, and comes back as leases end. `held` holds such owners by the end of their first lease.
 *
 * ARGV: prefix, now, attempts that may be under way at one host, and for one owner.
 */
export const LANE_LUA = `
local prefix, now, perHost, perOwner = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

local function sets(lane)
  return prefix .. 'due:' .. lane, prefix .. 'leased:' .. lane
end

local function first(key)
  return tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2])
end

local function index(lane)
  local due, leased = sets(lane)
  local at = first(leased)
  if redis.call('ZCARD', leased) < perHost then
    local waiting = first(due)
    if waiting and (not at or waiting < at) then at = waiting end
  end
  if at then redis.call('ZADD', prefix .. 'lanes', at, lane) else redis.call('ZREM', prefix .. 'lanes', lane) end
end

local function enqueue(id, lane, at, owner)
  redis.call('ZREM', prefix .. 'held:' .. owner, id)
  redis.call('ZADD', sets(lane), at, id)
  redis.call('HSET', prefix .. 'delivery:' .. id, 'dueAt', at)
  index(lane)
end

local function note(log, id, retentionMs)
  redis.call('ZREMRANGEBYSCORE', log, '-inf', now - retentionMs)
  redis.call('ZADD', log, now, id)
  redis.call('PEXPIRE', log, retentionMs)
end

-- Records a delivery once: its id is made of the event and of whom it goes to.
local function record(event, owner, webhook, url, retentionMs)
  local id = 'whd_' .. string.sub(event.id, 5) .. '_' .. (webhook == '' and 'callback' or string.sub(webhook, 5))
  local key = prefix .. 'delivery:' .. id
  if redis.call('EXISTS', key) == 1 then return id end
  local lane = string.match(url, '^%a+://([^/?#]+)') or 'nowhere'
  redis.call('HSET', key, 'id', id, 'owner', owner, 'webhook', webhook, 'lane', lane, 'status', 'pending',
    'event', event.id, 'type', event.type, 'task', event.task, 'at', event.at, 'createdAt', now,
    'callback', webhook == '' and url or '', 'shape', event.shape or 'event', 'tries', 0, 'claims', 0)
  redis.call('PEXPIRE', key, retentionMs)
  note(prefix .. 'log:' .. owner, id, retentionMs)
  if webhook ~= '' then note(prefix .. 'webhook_log:' .. webhook, id, retentionMs) end
  redis.call('HINCRBY', prefix .. 'stats', 'pending', 1)
  enqueue(id, lane, now, owner)
  return id
end
`;
