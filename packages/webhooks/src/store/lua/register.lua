-- Registers a webhook unless the owner has reached its maximum. KEYS: the webhook, the owner's ids. ARGV: maximum, id,
-- field-value pairs.
if redis.call('EXISTS', KEYS[1]) == 1 then return 1 end
if redis.call('SCARD', KEYS[2]) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
redis.call('SADD', KEYS[2], ARGV[2])
return 1
