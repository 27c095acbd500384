-- Adds a file to the lists of its owner.
local function index_file(id, owner, purpose, expires_at)
  redis.call('ZADD', owned_key(owner), 0, id)
  redis.call('ZADD', purpose_key(purpose, owner), 0, id)
  redis.call('ZADD', expiries, expires_at, id)
  redis.call('HINCRBY', totals, 'created', 1)
end
