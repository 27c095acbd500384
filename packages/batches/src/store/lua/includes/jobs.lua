local ORDER = { validate = -2, vendor = -1, finalize = 1e6 }

-- Makes a job available to workers. The jobs of a batch start in the order of its input.
local function add_job(id, job)
  redis.call('ZADD', jobs_key(id), ORDER[job] or job, job)
end

local function has_lease(id, job, token)
  return redis.call('HGET', tokens, id .. ' ' .. job) == token
end

local function end_lease(id, job)
  redis.call('ZREM', leases, id .. ' ' .. job)
  redis.call('HDEL', tokens, id .. ' ' .. job)
end
