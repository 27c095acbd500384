-- Creates a secret if there is none. The first of concurrent calls wins. KEYS: the hash. ARGV: secret, hint.
if redis.call('HSETNX', KEYS[1], 'secret', ARGV[1]) == 1 then redis.call('HSET', KEYS[1], 'hint', ARGV[2]) end
return redis.call('HGETALL', KEYS[1])
