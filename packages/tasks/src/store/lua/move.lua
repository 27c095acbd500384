--[[
  Changes a task. It checks every rule that is visible to clients, atomically. Only this script and `keep-polling`
  change tasks.

  The states of a task:

  - `queued`: waits for a slot at its account, after its input images have been fetched.
  - `submitting`: the start of a submission is recorded, so the vendor may have received the request.
  - `submit_unknown`: the outcome of the submission was lost. A worker reconciles, and never blindly submits again.
  - `in_progress`: the vendor has a job, and a worker polls it.
  - `canceling`: the client canceled the task, and a worker cancels the vendor's job. If the job has already finished,
    the task moves to `finishing`.
  - `finishing`: the job has finished, and a worker copies its outputs into the content store.
  - `completed`, `failed`, `canceled`: final.

  Rules:

  - A move is refused unless the record's status is in `from`. It is fenced unless the epoch (or the attempt) is the
    caller's, so a worker whose lock has expired cannot overwrite the changes of the next worker.
  - Final states never change. Only moves without a new state (e.g. a deletion) have a final state in `from`.
  - Progress never decreases, and stays below 100 until `completed`.
  - A vendor's job belongs to one task. A second claim of the same upstream id is refused.
  - If an operation is sent twice because its reply was lost, it is applied once.
  - A final state is announced to the owner's webhooks in the same step, exactly once.
  - Each change of state or progress, and each note from the caller, is added to the task's timeline.
  - The move to a final state replaces the reservation with the task's price, and appends the task to the ledger.
  - A move after which the task no longer needs its slot releases the slot and dispatches the next task in the queue.
  - A paused task stays out of the queue, and keeps its deadline.
  - A task that waits for the content store is in the set `storage_waiting`, until it continues or changes its state.

  ARGV: prefix, now, id, operation id, then the `Move` as JSON.
  Returns {result, dispatched tasks as account/id joined by spaces, the record as field, value...}.
]]
--- @include "includes/dispatch"
--- @include "includes/end-task"
--- @include "includes/untag"
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

local function reply(result)
  local out = {result, table.concat(dispatched, ' ')}
  for field, value in pairs(task) do
    out[#out + 1] = field
    out[#out + 1] = value
  end
  return out
end

-- The ledger lists a task's first attempts. The rest are repeated refusals of a busy vendor.
local MAX_ATTEMPTS_LENGTH = 4000

-- Returns the record's list of attempts with the attempt that has now ended.
local function withAttempt(ended, result)
  local attempts, submittedAt = ended.attempts or '', tonumber(ended.submittedAt)
  if #attempts > MAX_ATTEMPTS_LENGTH then return attempts end
  return attempts .. (attempts == '' and '' or ',') .. cjson.encode({
    upstream = ended.upstream, upstreamModel = ended.upstreamModel, result = result,
    ms = submittedAt and math.max(0, now - submittedAt) or nil,
  })
end

-- Checks

if not task.status then
  redis.call('ZREM', prefix .. 'due', id)
  return {'missing', ''}
end
if task.operation == operation then return reply('moved') end
if (move.epoch and tonumber(task.epoch) ~= move.epoch) or (move.attempt and tonumber(task.attempt) ~= move.attempt) then
  redis.call('HINCRBY', statsKey, 'fenced', 1)
  return reply('fenced')
end
if move.account and task.upstream ~= move.account then return reply('refused') end
if move.waiting and task.dispatched == '1' then return reply('refused') end
local isAllowed = false
for _, status in ipairs(move.from) do isAllowed = isAllowed or status == task.status end
if not isAllowed then return reply('refused') end

local account, owner = task.upstream, task.ownerId
local status = move.to or task.status
local set = move.set or {}
if status == 'queued' and task.cancelRequested == '1' then
  -- The client canceled the task during the submission. Now it is certain that there is no job to cancel.
  status, move.enqueue = 'canceled', nil
  set.errorCode, set.errorMessage = 'canceled', 'Canceled before it was accepted.'
end
local isFinal = status == 'completed' or status == 'failed' or status == 'canceled'
local bill = isFinal and billOf(task, set, status, task.status)

-- The claim of the vendor's job

local vendorAccount = set.upstreamAccount or task.upstreamAccount or account
if set.upstreamId then
  local claim = claimKey(vendorAccount, set.upstreamId)
  local claimant = redis.call('GET', claim)
  if claimant and claimant ~= id then return reply('taken') end
  if task.upstreamId and task.upstreamId ~= set.upstreamId then
    redis.call('DEL', claimKey(vendorAccount, task.upstreamId))
  end
  redis.call('SET', claim, id)
  if isFinal then redis.call('PEXPIRE', claim, move.retentionMs) end
end

-- The record

if set.progress then
  local progress = math.max(tonumber(task.progress), tonumber(set.progress))
  if status ~= 'completed' then progress = math.min(progress, 99) end
  set.progress = string.format('%d', progress)
end
local hasProgressed = set.progress and set.progress ~= task.progress

if move.claim then
  set.epoch = tostring(tonumber(task.epoch) + 1)
  redis.call('HSET', statsKey, 'claim:' .. account, now)
  -- Measures how late polls are. Polls that a client's read moved forward are excluded.
  local startedAt = move.startedAt or now
  local lateMs = task.status == 'in_progress' and startedAt - (tonumber(task.dueAt) or startedAt) or -1
  if lateMs >= 0 then
    local bound = 'inf'
    for _, limit in ipairs(move.claim) do
      if lateMs <= limit then bound = limit break end
    end
    redis.call('HINCRBY', statsKey, 'late:' .. bound, 1)
    redis.call('HINCRBY', statsKey, 'late:sum', integer(lateMs))
  end
end

local before, revision, route = task.status, tonumber(task.revision) + 1, tonumber(task.route)
if status ~= before and task.waitingReason then set.waitingReason = '' end
local fingerprint = set.fingerprint or task.fingerprint
local wasUnconfirmed = before == 'submitting' or before == 'submit_unknown'
-- An abandoned attempt can succeed late, when the task is in the queue again.
local isLate = before == 'queued' and (status == 'in_progress' or status == 'finishing' or status == 'completed')
if isLate or (wasUnconfirmed and status ~= 'submitting' and status ~= 'submit_unknown') then
  set.attempts = withAttempt(task, move.note and move.note.outcome or status)
end
local args = {'operation', operation, 'revision', revision, 'status', status}
for field, value in pairs(set) do
  args[#args + 1] = field
  args[#args + 1] = value
end
write(unpack(args))

if move.due then redis.call('ZADD', prefix .. 'due', move.due, id) end
if set.waitingReason then
  redis.call(set.waitingReason == '' and 'SREM' or 'SADD', prefix .. 'storage_waiting', id)
end
if move.count then redis.call('HINCRBY', statsKey, move.count, 1) end

if status ~= before then
  redis.call('HINCRBY', statsKey, 'tasks:' .. before, -1)
  redis.call('HINCRBY', statsKey, 'tasks:' .. status, 1)
  redis.call('ZREM', prefix .. 'state:' .. before, id)
  redis.call('ZADD', prefix .. 'state:' .. status, task.createdAt, id)
end

-- Timeline and events

if status ~= before or hasProgressed or move.note then
  -- The entry has the account and route of the step that ends here, not of the next step.
  local entry = {
    at = now, revision = revision, status = status, progress = tonumber(task.progress),
    attempt = tonumber(task.attempt), upstream = account, route = route,
  }
  for field, value in pairs(move.note or {}) do entry[field] = value end
  if SHOWN[status] ~= SHOWN[before] or hasProgressed then
    addEntry(id, 'shown', entry)
  elseif status ~= before then
    addEntry(id, 'moved', entry)
  else
    addNote(id, entry)
  end
end
if status ~= before or hasProgressed then
  publish(id, status, task.progress, revision)
end

-- Fingerprints of open submissions, so that reconciliation never adopts the job of another task with the same request

if fingerprint and status ~= before then
  local fingerprintKey = prefix .. 'print:' .. vendorAccount .. ':' .. fingerprint
  local orphan = id .. '-' .. task.attempt
  if status == 'submitting' or status == 'submit_unknown' then
    redis.call('SADD', fingerprintKey, id)
    redis.call('PEXPIRE', fingerprintKey, move.fingerprintLifeMs)
  elseif not (status == 'failed' and set.errorCode == 'submission_unknown') then
    -- A task that failed as `submission_unknown` may still have a job at the vendor, so its fingerprint stays.
    redis.call('SREM', fingerprintKey, id)
    if set.upstreamId then redis.call('SREM', fingerprintKey, orphan) end
    if move.orphan then
      redis.call('SADD', fingerprintKey, orphan)
      redis.call('PEXPIRE', fingerprintKey, move.fingerprintLifeMs)
    end
  end
end

-- Slots

local inFlightKey, submittingKey = slots(account)
local freed, wasRunning = 0, false
if status ~= before and status ~= 'submitting' then
  freed = redis.call('SREM', submittingKey, id)
end
if status ~= before and (isFinal or status == 'finishing' or status == 'queued') then
  freed = freed + redis.call('SREM', inFlightKey, id)
  wasRunning = redis.call('SREM', runningTasks(owner), id) == 1
end
if status == 'queued' and before ~= 'queued' then write('dispatched', '0') end
-- After a late success, the vendor runs the job, even if all slots are in use.
if isLate and status ~= 'completed' then
  leaveQueue(account, owner, id)
  if status == 'in_progress' then
    redis.call('SADD', inFlightKey, id)
    redis.call('SADD', runningTasks(owner), id)
  end
end

-- The end

if isFinal and status ~= before then
  leaveQueue(account, owner, id)
  redis.call('SREM', openTasks(owner), id)
  endTask(task, bill, move)
end
if set.deleted == '1' then
  redis.call('ZREM', prefix .. 'owner:' .. owner, id)
  untag(id, task.tags)
  -- The sweeper removes a deleted task as soon as it is final.
  if isFinal then redis.call('ZADD', prefix .. 'expiring', now, id) end
end
if move.usual then redis.call('HSET', prefix .. 'usual', task.kind .. ':' .. task.model, move.usual) end

-- The pause of a busy account grows with consecutive refusals. Refusals during a pause are ignored.

local pauseKey, refusalsKey = prefix .. 'pause:' .. account, prefix .. 'refusals:' .. account
if move.pause and redis.call('EXISTS', pauseKey) == 0 then
  local refusals = redis.call('INCR', refusalsKey)
  redis.call('PEXPIRE', refusalsKey, 10 * move.pause.maxMs)
  local ms = math.min(move.pause.maxMs,
    math.max(move.pause.requestedMs, move.pause.minMs * 2 ^ math.min(refusals - 1, 20)))
  redis.call('SET', pauseKey, '1', 'PX', string.format('%d', math.max(1, ms)))
end
-- The vendor accepted the submission, so the account is not busy.
if wasUnconfirmed and (status == 'in_progress' or status == 'finishing' or status == 'completed') then
  redis.call('DEL', refusalsKey)
end

if move.waiting then
  reorder(account, owner, id, task.priority)
  if task.paused == '1' then leaveQueue(account, owner, id) end
  -- Before its inputs are stored, and while it waits after a refusal, the task's next step enters the queue.
  move.enqueue = set.paused == '0' and task.inputsPending ~= '1' and (tonumber(task.dueAt) or 0) <= now
end
if freed > 0 then dispatch(account) end
if wasRunning then unpark(owner) end
-- A task that was dispatched after the caller had read it already has its slots.
if move.enqueue and task.dispatched ~= '1' then
  enter(task.upstream, owner, id)
  task.dispatched = redis.call('HGET', taskKey, 'dispatched')
end
return reply('moved')
