--[[
  Releases the input images of a task that is removed next. ARGV: prefix, id, then the key and hash of each image.
  Returns the keys that no task uses. No task can use them later, so the caller can remove their contents. If it fails
  to, it repeats this script, with the same result.
]]
local prefix, id, unused = ARGV[1], ARGV[2], {}
--- @include "includes/share-inputs"
for i = 3, #ARGV, 2 do
  local key, shared = ARGV[i], prefix .. 'input:' .. ARGV[i + 1]
  redis.call('SREM', inputTasks(key), id)
  if redis.call('EXISTS', inputTasks(key)) == 0 then
    if redis.call('GET', shared) == key then redis.call('DEL', shared) end
    unused[#unused + 1] = key
  end
end
return unused
