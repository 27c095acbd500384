-- Starts the list of all groups with those that are older than it.
local function start_all()
  if redis.call('EXISTS', all) == 1 then return end
  for _, source in ipairs({ expiring, due }) do
    for _, id in ipairs(redis.call('ZRANGE', source, 0, -1)) do redis.call('ZADD', all, 0, id) end
  end
end
