--[[
  Gives a worker the lease of a job: of the batch with the highest priority, then of the owner who was served longest ago,
  then of the oldest batch. Also returns the jobs of ended leases, and closes batches whose window has ended.

  ARGV: current time, end of the lease, token, where the scan of later batches continues (the rank of an owner and of a
  batch), then models whose upstreams are busy in this worker. An entry `<owner> <model>` excludes the model only for this
  owner. Jobs that call no upstream are never excluded.
  Returns {owner rank, batch rank, id, job, segment, field, value, ...}. Without a job, only the ranks.
]]
--- @include "includes/keys"
--- @include "includes/index-batch"
--- @include "includes/jobs"
local now, untilMs, token = ARGV[1], ARGV[2], ARGV[3]
local later_owner, later_batch = tonumber(ARGV[4]), tonumber(ARGV[5])
-- Maximum ended leases, and maximum batches of each scan, so that the script stays short.
local MAX_ENDED, MAX_SCANNED = 100, 1000

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
for at = 6, #ARGV do busy[ARGV[at]] = true end

local function is_busy(owner, id)
  local status, closing, model, stage =
    unpack(redis.call('HMGET', batch_key(id), 'status', 'closing', 'model', 'vendorStage'))
  if status ~= 'in_progress' or closing ~= '' or (stage and stage ~= '') then return false end
  return busy[model] or busy[owner .. ' ' .. model]
end

--[[
  Looks at a bounded number of batches, from this rank of an owner and of the owner's batch. Returns the first batch that
  the worker may claim and its owner, or false and where the next scan continues, which is 0, 0 at the end of the list.
]]
local function scan(owner_rank, batch_rank)
  local left = MAX_SCANNED
  for _, owner in ipairs(redis.call('ZRANGE', owners, owner_rank, owner_rank + MAX_SCANNED)) do
    local ids = redis.call('ZRANGE', ready_key(owner), batch_rank, batch_rank + left - 1)
    for _, id in ipairs(ids) do
      if not is_busy(owner, id) then return id, owner end
    end
    left = left - #ids
    if left == 0 then return false, owner_rank, batch_rank + #ids end
    owner_rank, batch_rank = owner_rank + 1, 0
  end
  return false, 0, 0
end

-- If the first batches are all busy, later ones are scanned too: the same ones while one of them can be claimed, then
-- the next ones, until the end of the list. So every batch has its turn, however many are busy.
local id, owner, batch_rank = scan(0, 0)
if not id and owner + batch_rank > 0 then
  if later_owner + later_batch == 0 then later_owner, later_batch = owner, batch_rank end
  id, owner, batch_rank = scan(later_owner, later_batch)
  if not id then later_owner, later_batch = owner, batch_rank end
end
if not id then return { later_owner, later_batch } end

local job = redis.call('ZPOPMIN', jobs_key(id))[1]
redis.call('ZADD', leases, untilMs, id .. ' ' .. job)
redis.call('HSET', tokens, id .. ' ' .. job, token)
redis.call('HSET', served, owner, redis.call('HINCRBY', stats, 'claims', 1))
index_batch(id)
local segment = redis.call('HGET', segments_key(id), job) or ''
local claimed = { later_owner, later_batch, id, job, segment }
for _, value in ipairs(redis.call('HGETALL', batch_key(id))) do table.insert(claimed, value) end
return claimed
