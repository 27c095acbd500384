-- Changes fields of a webhook, and does not bring back a deleted one. KEYS: the hash. ARGV: pairs.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
