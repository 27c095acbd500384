-- Removes ids whose record does not exist from a set. KEYS: the set. ARGV: prefix, then ids.
for i = 2, #ARGV do
  if redis.call('EXISTS', ARGV[1] .. 'task:' .. ARGV[i]) == 0 then redis.call('SREM', KEYS[1], ARGV[i]) end
end
