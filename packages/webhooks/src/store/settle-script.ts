import { LEASE_LUA } from './lease-script.ts';

/** Attempts that are kept of a delivery. */
const KEPT_ATTEMPTS = 32;

/**
 * Writes what became of a claim, unless the delivery has been claimed anew since or the outcome is written already:
 * `delivered` and `failed` end it, `retry` plans the next attempt, `release` gives it back as if it had not been claimed.
 *
 * What was not sent because there is nobody or nothing left to tell is no failure in the numbers.
 *
 * ARGV: as the lanes', then id, claim, outcome, the attempt as JSON or '', when to try again, the attempt's class.
 * Answers 1, or 0 where nothing was written.
 */
export const SETTLE_SCRIPT: string = `${LEASE_LUA}
local UNSENT = { webhook_deleted = true, webhook_disabled = true, task_deleted = true, key_revoked = true }
local id, claim, outcome, attempt, at, class = ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10]
local key, stats = prefix .. 'delivery:' .. id, prefix .. 'stats'
local known = redis.call('HMGET', key, 'claims', 'owner', 'host')
if known[1] ~= claim or not endLease(id, known[2], known[3]) then return 0 end

if attempt ~= '' then
  local attempts = prefix .. 'attempts:' .. id
  redis.call('RPUSH', attempts, attempt)
  redis.call('LTRIM', attempts, -${KEPT_ATTEMPTS}, -1)
  redis.call('PEXPIRE', attempts, math.max(1, redis.call('PTTL', key)))
  redis.call('HINCRBY', key, 'tries', 1)
  redis.call('HINCRBY', stats, 'attempts:' .. class, 1)
end
if outcome == 'retry' or outcome == 'release' then
  enqueue(id, at)
else
  redis.call('HSET', key, 'status', outcome)
  redis.call('HDEL', key, 'dueAt')
  redis.call('HINCRBY', stats, 'pending', -1)
  if not UNSENT[class] then redis.call('HINCRBY', stats, outcome, 1) end
end
return 1
`;
