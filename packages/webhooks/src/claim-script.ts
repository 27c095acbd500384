import { OWNER_LUA } from './owner-script.ts';

/**
 * Takes work for one worker: makes deliveries of what stands in the outbox, then claims what is due, lane by lane in
 * turns. An entry leaves the outbox in the same step that records its deliveries. A delivery whose lease has ended was a
 * dead worker's, and is claimed anew; each claim has a number, by which its outcome is told from those of earlier ones.
 *
 * ARGV: as the lanes', then the end of new leases, most claims, retention ms.
 * Answers `{when something is due next or '', id, claim, id, claim, …}`.
 */
export const CLAIM_SCRIPT: string = `${OWNER_LUA}
local leaseUntil, most, retentionMs = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local OUTBOX_BATCH, LANE_BATCH, OWNER_BATCH, LOOKS = 100, 200, 100, 1000

local function expand(entry)
  local outcome = entry.status == 'completed' and 'completed' or 'failed'
  local event = {
    id = 'evt_' .. string.sub(entry.task, -26), type = entry.kind .. '.' .. outcome, task = entry.task, at = entry.at,
    shape = 'event',
  }
  for _, webhook in ipairs(redis.call('SMEMBERS', prefix .. 'of:' .. entry.owner)) do
    local known = redis.call('HMGET', prefix .. 'webhook:' .. webhook, 'url', 'events', 'disabled')
    local wants = known[2] and string.find(',' .. known[2] .. ',', ',' .. event.type .. ',', 1, true)
    if known[1] and wants and (known[3] or '') == '' then record(event, entry.owner, webhook, known[1], retentionMs) end
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

for _, owner in ipairs(redis.call('ZRANGE', prefix .. 'held', '-inf', now, 'BYSCORE', 'LIMIT', 0, OWNER_BATCH)) do
  letGo(owner)
end

local lanes = redis.call('ZRANGE', prefix .. 'lanes', '-inf', now, 'BYSCORE', 'LIMIT', 0, LANE_BATCH)
for _, lane in ipairs(lanes) do
  local due, leased = sets(lane)
  for _, id in ipairs(redis.call('ZRANGE', leased, '-inf', now, 'BYSCORE')) do
    redis.call('ZREM', leased, id)
    redis.call('ZADD', due, now, id)
  end
end

local claimed, holding, looks = {''}, {}, 0
local progress = true
while progress do
  progress = false
  for _, lane in ipairs(lanes) do
    local due, leased = sets(lane)
    if #claimed < 2 * most and looks < LOOKS and redis.call('ZCARD', leased) < perHost then
      local id, at = unpack(redis.call('ZRANGE', due, '-inf', now, 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES'))
      if id then
        progress = true
        looks = looks + 1
        redis.call('ZREM', due, id)
        local key = prefix .. 'delivery:' .. id
        local owner = redis.call('HGET', key, 'owner')
        if owner and not hasRoom(owner) then
          hold(owner, id, at)
          holding[owner] = true
        elseif owner then
          redis.call('ZADD', leased, leaseUntil, id)
          lend(owner, id, leaseUntil)
          claimed[#claimed + 1] = id
          claimed[#claimed + 1] = redis.call('HINCRBY', key, 'claims', 1)
        else
          redis.call('HINCRBY', prefix .. 'stats', 'pending', -1)
        end
      end
    end
  end
end
for _, lane in ipairs(lanes) do index(lane) end
for owner in pairs(holding) do indexHeld(owner) end

if redis.call('EXISTS', prefix .. 'outbox') == 1 then
  claimed[1] = ARGV[2]
else
  local lane, owner = first(prefix .. 'lanes'), first(prefix .. 'held')
  local soonest = math.min(lane or math.huge, owner or math.huge)
  claimed[1] = soonest < math.huge and string.format('%.0f', soonest) or ''
end
return claimed
`;
