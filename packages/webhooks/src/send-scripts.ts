import { LANE_LUA } from './lane-script.ts';

/**
 * Sends a delivery once more, from the first attempt on. One that is under way is left to end.
 * ARGV: as the lanes', then id, owner. Answers 1, or 0 when the owner has none of this id.
 */
export const REDELIVER_SCRIPT: string = `${LANE_LUA}
local id, owner = ARGV[5], ARGV[6]
local key = prefix .. 'delivery:' .. id
local known = redis.call('HMGET', key, 'owner', 'lane', 'status')
if known[1] ~= owner then return 0 end
local lane = known[2]
local _, leased = sets(lane)
if redis.call('ZSCORE', leased, id) then return 1 end
if known[3] ~= 'pending' then redis.call('HINCRBY', prefix .. 'stats', 'pending', 1) end
redis.call('HSET', key, 'status', 'pending', 'tries', 0)
enqueue(id, lane, now, owner)
return 1
`;

/**
 * Sends a test event to a webhook.
 * ARGV: as the lanes', then webhook, owner, event id, event type, retention ms. Answers the delivery's id, or '' when the
 * owner has no such webhook.
 */
export const TEST_SCRIPT: string = `${LANE_LUA}
local webhook, owner = ARGV[5], ARGV[6]
local known = redis.call('HMGET', prefix .. 'webhook:' .. webhook, 'owner', 'url')
if known[1] ~= owner then return '' end
local event = { id = ARGV[7], type = ARGV[8], task = '', at = now }
return record(event, owner, webhook, known[2], tonumber(ARGV[9]))
`;
