/**
 * Writes one record, if it still is what the writer has read, and tells every process by the version that something
 * changed. A resent call (its first answer was lost on the way) finds its own record and answers the same.
 *
 * Records of keys that have ended stand apart, where processes that serve keys do not read them: revoked ones at once,
 * expired ones a while after. One that is given more time comes back.
 *
 * KEYS: records, ended records, names, version, expiries (ids by the time at which they are put aside). ARGV: id, name,
 * what was read (empty: nothing), what is to be, '1' when it has ended, when it is to be put aside (empty: never), now.
 */
export const PUT_SCRIPT = `
local records, ended, names, version, expiries = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local id, name, before, next = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local there = redis.call('HGET', records, id) or redis.call('HGET', ended, id)
if there == next then return 'written' end
if (there or '') ~= before then return 'changed' end
local isNamed = redis.call('HSETNX', names, name, id) == 1 or redis.call('HGET', names, name) == id
-- To end a key it needs no name.
if not isNamed and ARGV[5] ~= '1' then return 'name taken' end

local function putAside(one, record)
  redis.call('HSET', ended, one, record)
  redis.call('HDEL', records, one)
  redis.call('ZREM', expiries, one)
end

redis.call('HSET', records, id, next)
redis.call('HDEL', ended, id)
if ARGV[6] == '' then redis.call('ZREM', expiries, id) else redis.call('ZADD', expiries, ARGV[6], id) end
if ARGV[5] == '1' then putAside(id, next) end
for _, one in ipairs(redis.call('ZRANGE', expiries, '-inf', ARGV[7], 'BYSCORE', 'LIMIT', 0, 100)) do
  local record = redis.call('HGET', records, one)
  if record then putAside(one, record) else redis.call('ZREM', expiries, one) end
end
redis.call('INCR', version)
return 'written'
`;

/**
 * Keeps names from ever being given to a stored key. KEYS: names. ARGV: who has them, then the names. Answers those that
 * a stored key has already.
 */
export const RESERVE_SCRIPT = `
local taken = {}
for i = 2, #ARGV do
  redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[1])
  if redis.call('HGET', KEYS[1], ARGV[i]) ~= ARGV[1] then taken[#taken + 1] = ARGV[i] end
end
return taken
`;

/** Answers id and record in turn, of all that stand in KEYS: a key that is put aside meanwhile is neither lost nor doubled. */
export const LIST_SCRIPT = `
local found = {}
for _, place in ipairs(KEYS) do
  for _, text in ipairs(redis.call('HGETALL', place)) do found[#found + 1] = text end
end
return found
`;
