import { LANE_LUA } from './lane-script.ts';

/**
 * Sends a delivery once more, from the first attempt on. One that is under way is left to end.
 * ARGV: as the lanes', then id, owner. Answers 1, or 0 when the owner has none of this id.
 */
export const REDELIVER_SCRIPT: string = `${LANE_LUA}
local id, owner = ARGV[5], ARGV[6]
local key = prefix .. 'delivery:' .. id
local known = redis.call('HMGET', key, 'owner', 'status')
if known[1] ~= owner then return 0 end
if redis.call('ZSCORE', prefix .. 'leased', id) then return 1 end
if known[2] ~= 'pending' then redis.call('HINCRBY', prefix .. 'stats', 'pending', 1) end
redis.call('HSET', key, 'status', 'pending', 'tries', 0)
enqueue(id, now)
return 1
`;

/**
 * Moves what waits for a webhook to the host that its URL names now, so that it does not wait for the one before.
 * ARGV: as the lanes', then webhook, how many of its deliveries to pass over, and how many to look at.
 * Answers how many it has looked at.
 */
export const FOLLOW_SCRIPT: string = `${LANE_LUA}
local from, most = tonumber(ARGV[6]), tonumber(ARGV[7])
local ids = redis.call('ZREVRANGE', prefix .. 'webhook_log:' .. ARGV[5], from, from + most - 1)
for _, id in ipairs(ids) do
  local owner, host = unpack(redis.call('HMGET', prefix .. 'delivery:' .. id, 'owner', 'host'))
  local at = owner and redis.call('ZSCORE', laneOf(owner, host), id)
  if at then enqueue(id, at) end
end
return #ids
`;

/** Tests that are kept of a webhook; none for longer than an hour. */
const KEPT_TESTS = 10;
const TEST_MS = 3_600_000;

/**
 * Sends a test event to a webhook, unless one of its type is on its way. `tests:<webhook>` has the last ones, so that tests
 * without end leave little behind.
 * ARGV: as the lanes', then webhook, owner, event id, event type, retention ms. Answers the delivery's id, or '' when the
 * owner has no such webhook.
 */
export const TEST_SCRIPT: string = `${LANE_LUA}
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
redis.call('PEXPIRE', prefix .. 'delivery:' .. id, math.min(tonumber(ARGV[9]), ${TEST_MS}))
redis.call('LPUSH', tests, id)
redis.call('PEXPIRE', tests, ${TEST_MS})
for _ = ${KEPT_TESTS} + 1, redis.call('LLEN', tests) do
  local old = redis.call('RPOP', tests)
  -- One that was sent again and is pending is counted out when it is claimed and not found.
  redis.call('DEL', prefix .. 'delivery:' .. old, prefix .. 'attempts:' .. old)
  redis.call('ZREM', prefix .. 'log:' .. owner, old)
  redis.call('ZREM', prefix .. 'webhook_log:' .. webhook, old)
end
return id
`;
