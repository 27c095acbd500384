--- @include "includes/all"

-- Every priority is less than this many servings away from the next.
local PRIORITY_STEP = 1e13

local function index_owner(owner)
  local first = redis.call('ZRANGE', ready_key(owner), 0, 0, 'WITHSCORES')
  if not first[2] then return redis.call('ZREM', owners, owner) end
  local last_served = tonumber(redis.call('HGET', served, owner) or 0)
  redis.call('ZADD', owners, decimal(tonumber(first[2]) * PRIORITY_STEP + last_served), owner)
end

-- Call it after each change of a batch's jobs, status, or priority. A paused batch is validated, and can be closed.
local function index_batch(id)
  local owner, status, closing, paused, priority =
    unpack(redis.call('HMGET', batch_key(id), 'owner', 'status', 'closing', 'paused', 'priority'))
  if not owner then return end
  start_all()
  redis.call('ZADD', all, 0, id)
  local isPaused = paused == '1' and status == 'in_progress' and closing == ''
  if not isPaused and redis.call('EXISTS', jobs_key(id)) == 1 then
    redis.call('ZADD', ready_key(owner), 0 - tonumber(priority), id)
  else
    redis.call('ZREM', ready_key(owner), id)
  end
  index_owner(owner)
end
