--[[
  Gives a worker the lease of a job: of the batch with the highest priority, then of the owner who was served longest ago,
  then of the oldest batch. Also returns the jobs of ended leases, and closes batches whose window has ended.

  ARGV: current time, end of the lease, token, then models whose upstreams are busy in this worker. An entry
  `<owner> <model>` excludes the model only for this owner. Jobs that call no upstream are never excluded.
  Returns {id, job, segment, field, value, ...} or {}.
]]
--- @include "includes/keys"
--- @include "includes/index-batch"
--- @include "includes/jobs"
local now, untilMs, token = ARGV[1], ARGV[2], ARGV[3]
local MAX_ENDED, MAX_OWNERS, MAX_BATCHES = 100, 200, 200

for _, member in ipairs(redis.call('ZRANGE', leases, '-inf', now, 'BYSCORE', 'LIMIT', 0, MAX_ENDED)) do
  local id, job = string.match(member, '^(%S+) (%S+)$')
  end_lease(id, job)
  -- The segments of a batch that was deleted with its Redis keys are dropped.
  if redis.call('EXISTS', batch_key(id)) == 1 then
    add_job(id, job)
    index_batch(id)
  end
end

for _, id in ipairs(redis.call('ZRANGE', deadlines, '-inf', now, 'BYSCORE', 'LIMIT', 0, MAX_ENDED)) do
  redis.call('ZREM', deadlines, id)
  if redis.call('HGET', batch_key(id), 'status') == 'in_progress' then
    redis.call('HSET', batch_key(id), 'status', 'finalizing', 'closing', 'expired', 'finalizingAt', now)
    index_batch(id)
  end
end

local busy = {}
for at = 4, #ARGV do busy[ARGV[at]] = true end

local function is_busy(owner, id)
  local status, closing, model, stage =
    unpack(redis.call('HMGET', batch_key(id), 'status', 'closing', 'model', 'vendorStage'))
  if status ~= 'in_progress' or closing ~= '' or (stage and stage ~= '') then return false end
  return busy[model] or busy[owner .. ' ' .. model]
end

for _, owner in ipairs(redis.call('ZRANGE', owners, 0, MAX_OWNERS - 1)) do
  for _, id in ipairs(redis.call('ZRANGE', ready_key(owner), 0, MAX_BATCHES - 1)) do
    if not is_busy(owner, id) then
      local job = redis.call('ZPOPMIN', jobs_key(id))[1]
      redis.call('ZADD', leases, untilMs, id .. ' ' .. job)
      redis.call('HSET', tokens, id .. ' ' .. job, token)
      redis.call('HSET', served, owner, redis.call('HINCRBY', stats, 'claims', 1))
      index_batch(id)
      local claimed = redis.call('HGETALL', batch_key(id))
      table.insert(claimed, 1, redis.call('HGET', segments_key(id), job) or '')
      table.insert(claimed, 1, job)
      table.insert(claimed, 1, id)
      return claimed
    end
  end
end
return {}
