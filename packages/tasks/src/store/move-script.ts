import { DISPATCH_LUA } from './dispatch-script.ts';
import { END_TASK_LUA } from './end-task-lua.ts';

/**
 * The one script that changes a task: every rule that a client can see is checked here, atomically.
 *
 * - A write is refused unless the record's status is in `from`, and fenced off unless the epoch (or the attempt) is
 *   the caller's: a worker whose lock lapsed cannot overwrite its successor.
 * - Final states are absorbing: `from` never holds them but for the deletion mark.
 * - Progress never falls, and stays below 100 until `completed`.
 * - A vendor's job belongs to one task: a second claim of the same upstream id is refused.
 * - The same operation sent twice (a lost reply) is applied once.
 * - A final state is announced to the owner's webhooks in the same step: never lost, never twice.
 * - Each change of state or progress, and whatever the caller notes, stands in the task's timeline.
 * - What was held of the owner's budget is settled by the step that makes the task final.
 * - Places at the account are given back by the step that ends the need for them, and whoever waits is let out.
 *
 * ARGV: prefix, now, id, operation id, then the {@link MoveArguments} as JSON.
 * Answers `{result, tasks let out as account/id joined by space, …record as field, value}`.
 */
export const MOVE_SCRIPT: string = `${DISPATCH_LUA}${END_TASK_LUA}
local id, operation = ARGV[3], ARGV[4]
local move = cjson.decode(ARGV[5])
local taskKey = prefix .. 'task:' .. id
local statsKey = prefix .. 'stats'

local flat = redis.call('HGETALL', taskKey)
local task = {}
for i = 1, #flat, 2 do task[flat[i]] = flat[i + 1] end

local function write(...)
  redis.call('HSET', taskKey, ...)
  local written = {...}
  for i = 1, #written, 2 do task[written[i]] = tostring(written[i + 1]) end
end

local function answer(result)
  local out = {result, table.concat(dispatched, ' ')}
  for field, value in pairs(task) do
    out[#out + 1] = field
    out[#out + 1] = value
  end
  return out
end

if not task.status then
  redis.call('ZREM', prefix .. 'due', id)
  return {'missing', ''}
end
if task.operation == operation then return answer('moved') end
if (move.epoch and tonumber(task.epoch) ~= move.epoch) or (move.attempt and tonumber(task.attempt) ~= move.attempt) then
  redis.call('HINCRBY', statsKey, 'fenced', 1)
  return answer('fenced')
end
if move.account and task.upstream ~= move.account then return answer('refused') end
local allowed = false
for _, status in ipairs(move.from) do allowed = allowed or status == task.status end
if not allowed then return answer('refused') end

local account, owner = task.upstream, task.ownerId
local status = move.to or task.status
local set = move.set or {}
if status == 'queued' and task.cancelRequested == '1' then
  -- The wish came while the submission was open; now it is known that there is nothing to call off.
  status, move.enter = 'canceled', nil
  set.errorCode, set.errorMessage = 'canceled', 'Canceled before it was accepted.'
end
local final = status == 'completed' or status == 'failed' or status == 'canceled'
local cost = final and task.heldNanos and costOf(task, set, status, task.status)

local vendorAccount = set.upstreamAccount or task.upstreamAccount or account
if set.upstreamId then
  local claim = claimOf(vendorAccount, set.upstreamId)
  local holder = redis.call('GET', claim)
  if holder and holder ~= id then return answer('taken') end
  if task.upstreamId and task.upstreamId ~= set.upstreamId then redis.call('DEL', claimOf(vendorAccount, task.upstreamId)) end
  redis.call('SET', claim, id)
  if final then redis.call('PEXPIRE', claim, move.retentionMs) end
end

if set.progress then
  local progress = math.max(tonumber(task.progress), tonumber(set.progress))
  if status ~= 'completed' then progress = math.min(progress, 99) end
  set.progress = string.format('%d', progress)
end
local progressed = set.progress and set.progress ~= task.progress

if move.claim then
  set.epoch = tostring(tonumber(task.epoch) + 1)
  redis.call('HSET', statsKey, 'claim:' .. account, now)
  -- Poll lateness: of polls alone, and not of those that a client has brought forward.
  local late = task.status == 'in_progress' and now - (tonumber(task.dueAt) or now) or -1
  if late >= 0 then
    local bound = 'inf'
    for _, limit in ipairs(move.claim) do
      if late <= limit then bound = limit break end
    end
    redis.call('HINCRBY', statsKey, 'late:' .. bound, 1)
    redis.call('HINCRBY', statsKey, 'late:sum', whole(late))
  end
end

local before, revision, route = task.status, tonumber(task.revision) + 1, tonumber(task.route)
local fingerprint = set.fingerprint or task.fingerprint
local args = {'operation', operation, 'revision', revision, 'status', status}
for field, value in pairs(set) do
  args[#args + 1] = field
  args[#args + 1] = value
end
write(unpack(args))

if move.due then redis.call('ZADD', prefix .. 'due', move.due, id) end
if move.count then redis.call('HINCRBY', statsKey, move.count, 1) end

if status ~= before then
  redis.call('HINCRBY', statsKey, 'tasks:' .. before, -1)
  redis.call('HINCRBY', statsKey, 'tasks:' .. status, 1)
  redis.call('ZREM', prefix .. 'state:' .. before, id)
  redis.call('ZADD', prefix .. 'state:' .. status, task.createdAt, id)
end
if status ~= before or progressed or move.note then
  -- The account and the route of what was tried, not of what comes next.
  local entry = {
    at = now, revision = revision, status = status, progress = tonumber(task.progress),
    attempt = tonumber(task.attempt), upstream = account, route = route,
  }
  for field, value in pairs(move.note or {}) do entry[field] = value end
  if SHOWN[status] ~= SHOWN[before] or progressed then
    addEntry(id, 'shown', entry)
  elseif status ~= before then
    addEntry(id, 'moved', entry)
  else
    addNote(id, entry)
  end
end
if status ~= before or progressed then
  event(id, status, task.progress, revision)
end

-- Fingerprints: which submissions are open, so that a look-up never adopts a job that another task is just submitting.
if fingerprint and status ~= before then
  local printKey = prefix .. 'print:' .. vendorAccount .. ':' .. fingerprint
  local orphan = id .. '-' .. task.attempt
  if status == 'submitting' or status == 'submit_unknown' then
    redis.call('SADD', printKey, id)
    redis.call('PEXPIRE', printKey, move.printLifeMs)
  elseif not (status == 'failed' and set.errorCode == 'submission_unknown') then
    -- One that ended unknown may still have a job there: nobody else may take that for theirs.
    redis.call('SREM', printKey, id)
    if set.upstreamId then redis.call('SREM', printKey, orphan) end
    if move.orphan then
      redis.call('SADD', printKey, orphan)
      redis.call('PEXPIRE', printKey, move.printLifeMs)
    end
  end
end

local inFlightKey, submittingKey = places(account)
local freed, hasLeft = 0, false
if status ~= before and status ~= 'submitting' then
  freed = redis.call('SREM', submittingKey, id)
end
if status ~= before and (final or status == 'finishing' or status == 'queued') then
  freed = freed + redis.call('SREM', inFlightKey, id)
  hasLeft = redis.call('SREM', runningTasks(owner), id) == 1
end
if status == 'queued' and before ~= 'queued' then write('dispatched', '0') end
-- The late answer of an attempt that was given up: the task is at the vendor, whoever else waits for that place.
if before == 'queued' and (status == 'in_progress' or status == 'finishing') then
  leaveWaitingRoom(account, owner, id)
  if status == 'in_progress' then
    redis.call('SADD', inFlightKey, id)
    redis.call('SADD', runningTasks(owner), id)
  end
end

if final and status ~= before then
  leaveWaitingRoom(account, owner, id)
  redis.call('SREM', openTasks(owner), id)
  endTask(task, cost, move.retentionMs)
end
if set.deleted == '1' then
  redis.call('ZREM', prefix .. 'owner:' .. owner, id)
  -- Gone for its owner; the sweeper clears it away as soon as it is final.
  if final then redis.call('ZADD', prefix .. 'expiring', now, id) end
end
if move.usual then redis.call('HSET', prefix .. 'usual', task.kind .. ':' .. task.model, move.usual) end

-- A busy account rests, longer with each refusal in a row; refusals during one rest count once.
local pauseKey, refusalsKey = prefix .. 'pause:' .. account, prefix .. 'refusals:' .. account
if move.rest and redis.call('EXISTS', pauseKey) == 0 then
  local refusals = redis.call('INCR', refusalsKey)
  redis.call('PEXPIRE', refusalsKey, 10 * move.rest.maxMs)
  local ms = math.min(move.rest.maxMs, math.max(move.rest.requestedMs, move.rest.minMs * 2 ^ math.min(refusals - 1, 20)))
  redis.call('SET', pauseKey, '1', 'PX', string.format('%d', math.max(1, ms)))
end
-- Accepted, or made at once: the account takes again.
local undecided = before == 'submitting' or before == 'submit_unknown'
if undecided and (status == 'in_progress' or status == 'finishing' or status == 'completed') then
  redis.call('DEL', refusalsKey)
end

if freed > 0 then dispatch(account) end
if hasLeft then unpark(owner) end
-- One that was let out since it was looked at has its place already.
if move.enter and task.dispatched ~= '1' then
  enter(task.upstream, owner, id)
  task.dispatched = redis.call('HGET', taskKey, 'dispatched')
end
return answer('moved')
`;
