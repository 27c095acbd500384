-- Creates a secret if none exists. Of concurrent calls, the first one wins. KEYS: the hash. ARGV: secret, hint.
if redis.call('HSETNX', KEYS[1], 'secret', ARGV[1]) == 1 then redis.call('HSET', KEYS[1], 'hint', ARGV[2]) end
return redis.call('HGETALL', KEYS[1])
