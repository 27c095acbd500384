--[[
  Records the input images that a worker has fetched and stored for a waiting task.
  ARGV: prefix, id, epoch, `NewInputs` as JSON, request JSON with the stored images.

  Nothing is recorded if another worker has claimed the task, or if the task has ended: it may be removed at any time
  then. Returns the keys that no task uses.
]]
local prefix, id, inputs = ARGV[1], ARGV[2], cjson.decode(ARGV[4])
--- @include "includes/share-inputs"
local task = redis.call('HMGET', prefix .. 'task:' .. id, 'status', 'epoch')
if task[1] == 'queued' and task[2] == ARGV[3] then
  redis.call('SET', prefix .. 'request:' .. id, shareInputs(id, inputs, ARGV[5]))
end
return unusedInputs(inputs)
