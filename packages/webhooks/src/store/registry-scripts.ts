/** Registers a webhook unless the owner has enough. KEYS: the webhook, the owner's ids. ARGV: most, id, fields as pairs. */
export const REGISTER_SCRIPT = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 1 end
if redis.call('SCARD', KEYS[2]) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
redis.call('SADD', KEYS[2], ARGV[2])
return 1
`;

/** Changes fields of what exists: one that is deleted meanwhile does not come back. KEYS: the hash. ARGV: pairs. */
export const CHANGE_SCRIPT = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
`;

/** Switches a webhook off, if its URL is still the one that said so. KEYS: the hash. ARGV: URL, now. */
export const RETIRE_SCRIPT = `
if redis.call('HGET', KEYS[1], 'url') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'disabled', 'gone', 'updatedAt', ARGV[2])
return 1
`;

/**
 * Replaces a secret in one step, unless that is done already. KEYS: the hash. ARGV: new secret, hint, until when the one
 * before signs as well or '' when none does, now, most earlier ones, the one that cannot be read and so is not kept, or ''.
 * Answers the earlier secrets as JSON, '' when there are none.
 */
export const ROTATE_SCRIPT = `
local untilAt, now, most, unreadable = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6]
local secret = redis.call('HGET', KEYS[1], 'secret')
if not secret then return '' end
local known = redis.call('HGET', KEYS[1], 'earlier') or ''
if secret == ARGV[1] then return known end
local earlier = {}
if untilAt then
  if secret ~= unreadable then earlier[1] = { secret = secret, ['until'] = untilAt } end
  for _, one in ipairs(known == '' and {} or cjson.decode(known)) do
    if one['until'] > now and #earlier < most then earlier[#earlier + 1] = one end
  end
end
known = #earlier == 0 and '' or cjson.encode(earlier)
redis.call('HSET', KEYS[1], 'secret', ARGV[1], 'hint', ARGV[2], 'earlier', known, 'updatedAt', ARGV[4])
return known
`;

/** Makes a secret unless there is one; of several that try at once the first wins. KEYS: the hash. ARGV: secret, hint. */
export const FIRST_SECRET_SCRIPT = `
if redis.call('HSETNX', KEYS[1], 'secret', ARGV[1]) == 1 then redis.call('HSET', KEYS[1], 'hint', ARGV[2]) end
return redis.call('HGETALL', KEYS[1])
`;
