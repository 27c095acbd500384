--[[
  Records a poll after which the vendor's job is still running. This is the most frequent change of a task, so it has
  its own script, which does less than `move`.

  The script refuses the change if the record has changed since the caller read it. The revision proves this, because
  every other change to a task in progress increments it. The caller then claims the task and continues with the new record.

  ARGV: prefix, now, id, operation id, then as JSON: `epoch`, `revision`, the fields to `set` as pairs, `due`,
  `entry` for the timeline, `hasProgressed`, and, if the step did not claim the task, `unclaimed`: {account, late bound,
  lateness in ms}.
  Returns 1 if the poll is recorded, otherwise 0.
]]
local prefix, now, id, operation = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
--- @include "includes/timeline"
local poll = cjson.decode(ARGV[5])
local taskKey = prefix .. 'task:' .. id

local task = redis.call('HMGET', taskKey, 'operation', 'status', 'epoch', 'revision')
if task[1] == operation then return 1 end
if task[3] and task[3] ~= poll.epoch then
  redis.call('HINCRBY', prefix .. 'stats', 'fenced', 1)
  return 0
end
if task[2] ~= 'in_progress' or task[4] ~= poll.revision then return 0 end

redis.call('HSET', taskKey, 'operation', operation, unpack(poll.set))
redis.call('ZADD', prefix .. 'due', poll.due, id)
if poll.unclaimed then
  local account, bound, lateMs = unpack(poll.unclaimed)
  local statsKey = prefix .. 'stats'
  redis.call('HSET', statsKey, 'claim:' .. account, now)
  redis.call('HINCRBY', statsKey, 'late:' .. bound, 1)
  redis.call('HINCRBY', statsKey, 'late:sum', lateMs)
end
if poll.hasProgressed then
  addEntry(id, 'shown', poll.entry)
  publish(id, 'in_progress', poll.entry.progress, poll.entry.revision)
else
  addNote(id, poll.entry)
end
return 1
