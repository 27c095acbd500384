import { OWNER_LUA } from './owner-lua.ts';
import { TIMELINE_LUA } from './timeline-script.ts';

/**
 * Lua shared by all scripts: who may submit next at an upstream account.
 *
 * A new task enters the account's waiting room. `dispatch` lets tasks out while fewer than `max_in_flight` are at the
 * vendor and fewer than `max_submitting` submissions are under way. Owners take turns: the one that waits longest for
 * a turn gives its oldest task, so that a light key never queues behind a heavy one. An owner that has as many tasks out
 * as it may, over all accounts, is parked: see {@link OWNER_LUA}. A task that is out holds its places until the script that moves it on gives them back; since places are sets of ids, giving back twice is harmless.
 *
 * Because at most `max_submitting` steps of an account are submissions, which the configuration keeps below the steps
 * of one worker, polls always find free slots. What was let out is told as `account/id`: one write can free a place at
 * one account and enter another.
 */
export const DISPATCH_LUA = `
local prefix = ARGV[1]
local now = tonumber(ARGV[2])
local dispatched = {}
${TIMELINE_LUA}${OWNER_LUA}

local function places(account)
  return prefix .. 'in_flight:' .. account, prefix .. 'submitting:' .. account
end

local function waitingRoom(account)
  return prefix .. 'waiting:' .. account
end

-- Takes the owner's oldest task out of a room and gives its owner's turn away.
local function takeTurn(account, owner)
  local room = waitingRoom(account)
  local line = room .. ':' .. owner
  local id = redis.call('ZPOPMIN', line)[1]
  if redis.call('ZCARD', line) == 0 then
    redis.call('ZREM', room, owner)
  else
    redis.call('ZADD', room, redis.call('INCR', prefix .. 'turn:' .. account), owner)
  end
  return id
end

local function dispatch(account)
  if redis.call('EXISTS', prefix .. 'pause:' .. account) == 1 then return end
  local caps = redis.call('HMGET', prefix .. 'caps', account .. ':in_flight', account .. ':submitting')
  local maxInFlight = tonumber(caps[1]) or math.huge
  local maxSubmitting = tonumber(caps[2]) or 16
  local inFlightKey, submittingKey = places(account)
  local room = waitingRoom(account)
  local inFlight = redis.call('SCARD', inFlightKey)
  local submitting = redis.call('SCARD', submittingKey)
  while inFlight < maxInFlight and submitting < maxSubmitting do
    local owner = redis.call('ZRANGE', room, 0, 0)[1]
    if not owner then return end
    local id
    if isAtCap(owner) then
      redis.call('ZREM', room, owner)
      park(account, owner)
    else
      id = takeTurn(account, owner)
    end
    local task = id and redis.call('HMGET', prefix .. 'task:' .. id,
      'status', 'upstream', 'dispatched', 'revision', 'attempt', 'route')
    -- What an older Redis has brought back may wait here no more: it must not take a place that nothing would give back.
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

-- Lets an owner's tasks out that its cap has held back, from the account that has waited longest.
local function unpark(owner)
  local parked = prefix .. 'parked:' .. owner
  for _ = 1, redis.call('ZCARD', parked) do
    if isAtCap(owner) then return end
    local account = redis.call('ZPOPMIN', parked)[1]
    local room = waitingRoom(account)
    if redis.call('ZCARD', room .. ':' .. owner) > 0 and not redis.call('ZSCORE', room, owner) then
      redis.call('ZADD', room, redis.call('INCR', prefix .. 'turn:' .. account), owner)
    end
    dispatch(account)
  end
end

-- How many of an owner's tasks may be out; nil: any number.
local function capOwner(owner, most)
  local caps = prefix .. 'owner_caps'
  local before = tonumber(redis.call('HGET', caps, owner))
  if before == most then return end
  if most then redis.call('HSET', caps, owner, most) else redis.call('HDEL', caps, owner) end
  unpark(owner)
end

-- A newcomer waits behind the owners that already wait, but only for one turn of each.
local function enter(account, owner, id)
  local room = waitingRoom(account)
  redis.call('ZADD', room .. ':' .. owner, 0, id)
  if not redis.call('ZSCORE', room, owner) then
    redis.call('ZADD', room, redis.call('INCR', prefix .. 'turn:' .. account), owner)
  end
  dispatch(account)
end

local function leaveWaitingRoom(account, owner, id)
  local room = waitingRoom(account)
  redis.call('ZREM', room .. ':' .. owner, id)
  if redis.call('ZCARD', room .. ':' .. owner) == 0 then redis.call('ZREM', room, owner) end
end

local function event(id, status, progress, revision)
  redis.call('XADD', prefix .. 'events', 'MAXLEN', '~', 10000, '*',
    'id', id, 'status', status, 'progress', progress, 'revision', revision)
end
`;

/** Sets how many tasks owners may have out, from `ARGV[3]` on as owner, cap or '' in turn. */
export const CAP_OWNERS_SCRIPT: string = `${DISPATCH_LUA}
for i = 3, #ARGV, 2 do capOwner(ARGV[i], tonumber(ARGV[i + 1])) end
return dispatched
`;

/**
 * Lets waiting tasks out at the accounts named from `ARGV[3]` on, and those of parked owners that have room: the sweeper's
 * net under a missed dispatch.
 */
export const DISPATCH_ALL_SCRIPT: string = `${DISPATCH_LUA}
for i = 3, #ARGV do dispatch(ARGV[i]) end
for _, owner in ipairs(redis.call('SMEMBERS', prefix .. 'parked_owners')) do
  unpark(owner)
  if redis.call('EXISTS', prefix .. 'parked:' .. owner) == 0 then redis.call('SREM', prefix .. 'parked_owners', owner) end
end
return dispatched
`;
