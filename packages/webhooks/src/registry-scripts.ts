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

/**
 * Replaces a secret in one step, unless that is done already. KEYS: the hash. ARGV: new secret, hint, until when the one
 * before signs as well or '', now.
 */
export const ROTATE_SCRIPT = `
local secret = redis.call('HGET', KEYS[1], 'secret')
if not secret then return 0 end
if secret == ARGV[1] then return 1 end
local previous = ARGV[3] == '' and '' or secret
redis.call('HSET', KEYS[1], 'secret', ARGV[1], 'hint', ARGV[2], 'previous', previous, 'previousUntil', ARGV[3],
  'updatedAt', ARGV[4])
return 1
`;

/** Makes a secret unless there is one; of several that try at once the first wins. KEYS: the hash. ARGV: secret, hint. */
export const FIRST_SECRET_SCRIPT = `
if redis.call('HSETNX', KEYS[1], 'secret', ARGV[1]) == 1 then redis.call('HSET', KEYS[1], 'hint', ARGV[2]) end
return redis.call('HGETALL', KEYS[1])
`;
