-- Starts the list of all batches with those that are older than it. Other open ones are added when they change.
local function start_all()
  if redis.call('EXISTS', all) == 1 then return end
  for _, source in ipairs({ expiring, deadlines }) do
    for _, id in ipairs(redis.call('ZRANGE', source, 0, -1)) do redis.call('ZADD', all, 0, id) end
  end
end
