--[[
  Releases the slots at an account of tasks that have none there. KEYS: the set. ARGV: prefix, account, statuses that hold a
  slot joined by commas, then ids.
]]
local holding = {}
for status in string.gmatch(ARGV[3], '[^,]+') do holding[status] = true end
for i = 4, #ARGV do
  local task = redis.call('HMGET', ARGV[1] .. 'task:' .. ARGV[i], 'status', 'upstream', 'dispatched')
  local holds = holding[task[1]] or (task[1] == 'queued' and task[3] == '1')
  if not holds or task[2] ~= ARGV[2] then redis.call('SREM', KEYS[1], ARGV[i]) end
end
