-- Changes fields of a webhook unless it is deleted. KEYS: the hash. ARGV: pairs.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
