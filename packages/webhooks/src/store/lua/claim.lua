--[[
  Claims work for one worker: turns the outbox's entries into deliveries, and then claims due deliveries. An entry is
  removed from the outbox in the same step in which its deliveries are recorded. If a delivery's lease has ended, its
  worker is dead, and the delivery is claimed again. Each claim has a number, so that the outcome of an earlier claim
  is ignored.

  Owners with the fewest attempts in flight across all workers come first. A worker's last slots are reserved for
  owners without attempts in flight, so that a new owner does not wait for owners with slow servers.

  ARGV: the arguments of `queues`, then the end of new leases, maximum number of claims, retention in ms, number of
  reserved claims.
  Returns {time of the next due delivery or '', id, claim, id, claim...}.
]]
--- @include "includes/leases"
local leaseUntil, free, retentionMs, reserved = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local OUTBOX_BATCH, LEASE_BATCH, OWNER_BATCH, MAX_LOOKUPS = 100, 200, 1000, 1000

-- Entries of objects other than tasks name their event, and also its id if the object can end several times.
local function typeOf(entry)
  if entry.event then return entry.event end
  return entry.kind .. '.' .. (entry.status == 'completed' and 'completed' or 'failed')
end

local function expand(entry)
  -- Ids of batches are shorter, so their last characters contain an underscore.
  local digits = string.match(string.sub(entry.task, -26), '[^_]*$')
  local event = {
    id = entry.id or 'evt_' .. digits, type = typeOf(entry), task = entry.task, at = entry.at, shape = 'event',
  }
  for _, webhook in ipairs(redis.call('SMEMBERS', prefix .. 'of:' .. entry.owner)) do
    local known = redis.call('HMGET', prefix .. 'webhook:' .. webhook, 'url', 'events', 'disabled')
    local isSubscribed = known[2] and string.find(',' .. known[2] .. ',', ',' .. event.type .. ',', 1, true)
    if known[1] and isSubscribed and (known[3] or '') == '' then
      record(event, entry.owner, webhook, known[1], retentionMs)
    end
  end
  if entry.callback then
    event.shape = entry.shape
    record(event, entry.owner, '', entry.callback, retentionMs)
  end
end

for _ = 1, OUTBOX_BATCH do
  local entry = redis.call('LPOP', prefix .. 'outbox')
  if not entry then break end
  expand(cjson.decode(entry))
end

for _, id in ipairs(redis.call('ZRANGE', prefix .. 'leased', '-inf', now, 'BYSCORE', 'LIMIT', 0, LEASE_BATCH)) do
  local owner, host = unpack(redis.call('HMGET', prefix .. 'delivery:' .. id, 'owner', 'host'))
  if owner then
    endLease(id, owner, host)
    enqueue(id, now)
  else
    redis.call('ZREM', prefix .. 'leased', id)
    redis.call('HINCRBY', prefix .. 'stats', 'pending', -1)
  end
end

local function firstDue(key)
  return redis.call('ZRANGE', key, '-inf', now, 'BYSCORE', 'LIMIT', 0, 1)[1]
end

local claimed, lookups = {''}, 0

-- Claims one delivery of an owner. Returns false if none can be claimed. A host without a claimable delivery is
-- indexed at a later time.
local function claimOne(owner)
  while lookups < MAX_LOOKUPS do
    local host = firstDue(prefix .. 'hosts:' .. owner)
    if not host then return false end
    lookups = lookups + 1
    local id = countLeases(prefix .. 'leased_at:' .. host) < perHost and firstDue(queueOf(owner, host))
    if id then
      redis.call('ZREM', queueOf(owner, host), id)
      local key = prefix .. 'delivery:' .. id
      if redis.call('EXISTS', key) == 1 then
        lease(id, owner, host, leaseUntil)
        claimed[#claimed + 1] = id
        claimed[#claimed + 1] = redis.call('HINCRBY', key, 'claims', 1)
        index(owner, host)
        return true
      end
      redis.call('HINCRBY', prefix .. 'stats', 'pending', -1)
    end
    index(owner, host)
  end
  return false
end

local byCount, maxCount = {}, 0
local function addOwner(owner, count)
  byCount[count] = byCount[count] or {}
  table.insert(byCount[count], owner)
  maxCount = math.max(maxCount, count)
end
-- Owners without attempts in flight come first. If they use all slots, the other owners are skipped.
local isSkipped, begun = false, {}
for _, owner in ipairs(redis.call('ZRANGE', prefix .. 'owners', '-inf', now, 'BYSCORE', 'LIMIT', 0, OWNER_BATCH)) do
  if free == 0 then
    isSkipped = true
    break
  end
  local count = countLeases(prefix .. 'leased_by:' .. owner)
  if count > 0 then
    addOwner(owner, count)
  elseif claimOne(owner) then
    free = free - 1
    begun[#begun + 1] = owner
  end
end
for _, owner in ipairs(begun) do addOwner(owner, 1) end

local count = 1
while count <= maxCount do
  for _, owner in ipairs(byCount[count] or {}) do
    if count >= perOwner then
      indexOwner(owner)
    elseif free > reserved then
      if claimOne(owner) then
        free = free - 1
        addOwner(owner, count + 1)
      end
    else
      isSkipped = true
    end
  end
  count = count + 1
end

if redis.call('EXISTS', prefix .. 'outbox') == 1 then
  claimed[1] = ARGV[2]
else
  -- A skipped owner waits for a slot of this worker. When a slot is free, the worker claims again anyway.
  local from = isSkipped and '(' .. ARGV[2] or '-inf'
  local due = redis.call('ZRANGE', prefix .. 'owners', from, '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')[2]
  local soonest = math.min(tonumber(due) or math.huge, first(prefix .. 'leased') or math.huge)
  claimed[1] = soonest < math.huge and string.format('%.0f', soonest) or ''
end
return claimed
