-- Disables a webhook after a 410 response, unless its URL has changed. KEYS: the hash. ARGV: URL, now.
if redis.call('HGET', KEYS[1], 'url') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'disabled', 'gone', 'updatedAt', ARGV[2])
return 1
