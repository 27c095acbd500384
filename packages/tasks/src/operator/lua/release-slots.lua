--[[
  Removes tasks that no longer need a slot at an account. KEYS: the set of slots. ARGV: prefix, account,
  comma-separated statuses of tasks that need a slot, then ids.
]]
local withSlot = {}
for status in string.gmatch(ARGV[3], '[^,]+') do withSlot[status] = true end
for i = 4, #ARGV do
  local task = redis.call('HMGET', ARGV[1] .. 'task:' .. ARGV[i], 'status', 'upstream', 'dispatched')
  local needsSlot = withSlot[task[1]] or (task[1] == 'queued' and task[3] == '1')
  if not needsSlot or task[2] ~= ARGV[2] then redis.call('SREM', KEYS[1], ARGV[i]) end
end
