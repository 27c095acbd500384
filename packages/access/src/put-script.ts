/**
 * Writes one record, if it still is what the writer has read, and tells every process by the version that something
 * changed. A resent call (its first answer was lost on the way) finds its own record and answers the same.
 *
 * KEYS: records, names, version. ARGV: id, name, what was read (empty: nothing), what is to be.
 */
export const PUT_SCRIPT = `
local there = redis.call('HGET', KEYS[1], ARGV[1])
if there == ARGV[4] then return 'written' end
if (there or '') ~= ARGV[3] then return 'changed' end
if redis.call('HSETNX', KEYS[2], ARGV[2], ARGV[1]) == 0 and redis.call('HGET', KEYS[2], ARGV[2]) ~= ARGV[1] then
  return 'name taken'
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[4])
redis.call('INCR', KEYS[3])
return 'written'
`;
