--[[
  Decides which task may submit next at an upstream account. ARGV: prefix, now.

  A new task enters the account's admission queue. `dispatch` takes tasks from the queue while fewer than
  `max_in_flight` tasks are at the vendor and fewer than `max_submitting` submissions are in flight. Owners take
  turns. The owner that has waited longest submits its oldest task of the highest priority, so that an owner with few
  tasks never waits behind one with many. A priority orders only the tasks of one owner. An owner that has reached its
  cap across all accounts, or has paused its tasks, is parked; see `owners`.

  A dispatched task keeps its slots until a later move releases them. Slots are sets of ids, so releasing a slot twice
  is harmless. The configuration keeps `max_submitting` below a worker's concurrent steps, so that submissions never
  block polls.

  `dispatched` collects the tasks to wake as `account/id`, because one move can free a slot at one account and enter
  the queue of another.
]]
local prefix = ARGV[1]
local now = tonumber(ARGV[2])
local dispatched = {}
--- @include "includes/timeline"
--- @include "includes/owners"

local function slots(account)
  return prefix .. 'in_flight:' .. account, prefix .. 'submitting:' .. account
end

-- The queue contains owners in the order of their turns. The tasks of each owner are in `<queue>:<owner>`, sorted by
-- falling priority, and then by id, that is, by age.
local function admissionQueue(account)
  return prefix .. 'waiting:' .. account
end

local function giveTurn(account, owner)
  redis.call('ZADD', admissionQueue(account), redis.call('INCR', prefix .. 'turn:' .. account), owner)
end

-- Removes and returns the owner's next task, and moves the owner to the end of the queue.
local function takeNext(account, owner)
  local queue = admissionQueue(account)
  local tasks = queue .. ':' .. owner
  local id = redis.call('ZPOPMIN', tasks)[1]
  if redis.call('ZCARD', tasks) == 0 then
    redis.call('ZREM', queue, owner)
  else
    giveTurn(account, owner)
  end
  return id
end

local function dispatch(account)
  if redis.call('EXISTS', prefix .. 'pause:' .. account) == 1 then return end
  local caps = redis.call('HMGET', prefix .. 'caps', account .. ':in_flight', account .. ':submitting')
  local maxInFlight = tonumber(caps[1]) or math.huge
  local maxSubmitting = tonumber(caps[2]) or 16
  local inFlightKey, submittingKey = slots(account)
  local queue = admissionQueue(account)
  local inFlight = redis.call('SCARD', inFlightKey)
  local submitting = redis.call('SCARD', submittingKey)
  while inFlight < maxInFlight and submitting < maxSubmitting do
    local owner = redis.call('ZRANGE', queue, 0, 0)[1]
    if not owner then return end
    local id
    if mayNotDispatch(owner) then
      redis.call('ZREM', queue, owner)
      park(account, owner)
    else
      id = takeNext(account, owner)
    end
    local task = id and redis.call('HMGET', prefix .. 'task:' .. id,
      'status', 'upstream', 'dispatched', 'revision', 'attempt', 'route')
    -- After a restore from a backup, the queue may contain a task that no longer waits. It must not get a slot,
    -- because nothing would release the slot.
    if task and task[1] == 'queued' and task[2] == account and task[3] ~= '1' then
      redis.call('SADD', runningTasks(owner), id)
      redis.call('SADD', inFlightKey, id)
      redis.call('SADD', submittingKey, id)
      redis.call('HSET', prefix .. 'task:' .. id, 'dispatched', '1', 'dueAt', now)
      redis.call('ZADD', prefix .. 'due', now, id)
      addNote(id, {
        at = now, revision = tonumber(task[4]), status = 'queued', progress = 0, what = 'dispatched',
        attempt = tonumber(task[5]), upstream = account, route = tonumber(task[6]),
      })
      inFlight = inFlight + 1
      submitting = submitting + 1
      dispatched[#dispatched + 1] = account .. '/' .. id
    end
  end
end

-- Returns a parked owner to the queues that it has left, in the order in which it left them.
local function unpark(owner)
  local parked = prefix .. 'parked:' .. owner
  for _ = 1, redis.call('ZCARD', parked) do
    if mayNotDispatch(owner) then return end
    local account = redis.call('ZPOPMIN', parked)[1]
    local queue = admissionQueue(account)
    if redis.call('ZCARD', queue .. ':' .. owner) > 0 and not redis.call('ZSCORE', queue, owner) then
      giveTurn(account, owner)
    end
    dispatch(account)
  end
end

-- Sets how many of an owner's tasks may be dispatched at the same time; nil means no limit.
local function capOwner(owner, cap)
  local caps = prefix .. 'owner_caps'
  local before = tonumber(redis.call('HGET', caps, owner))
  if before == cap then return end
  if cap then redis.call('HSET', caps, owner, cap) else redis.call('HDEL', caps, owner) end
  unpark(owner)
end

-- A new owner is placed at the end of the queue, so every waiting owner has a turn first. A paused task does not enter.
local function enter(account, owner, id)
  local queue = admissionQueue(account)
  local task = redis.call('HMGET', prefix .. 'task:' .. id, 'priority', 'paused')
  if task[2] == '1' then return end
  redis.call('ZADD', queue .. ':' .. owner, 0 - (tonumber(task[1]) or 0), id)
  if not redis.call('ZSCORE', queue, owner) then giveTurn(account, owner) end
  dispatch(account)
end

-- Moves a waiting task among those of its owner. A task that is not in the queue gets its place when it enters.
local function reorder(account, owner, id, priority)
  redis.call('ZADD', admissionQueue(account) .. ':' .. owner, 'XX', 0 - (tonumber(priority) or 0), id)
end

local function leaveQueue(account, owner, id)
  local queue = admissionQueue(account)
  redis.call('ZREM', queue .. ':' .. owner, id)
  if redis.call('ZCARD', queue .. ':' .. owner) == 0 then redis.call('ZREM', queue, owner) end
end
