--[[
  Input images of an owner with the same content are stored once. Needs `prefix` in scope.

  - `input:<hash>` contains the content store's key of a content. New tasks with this content use that key. It expires
    before the content is removed for its age.
  - `input_tasks:<key>` contains the ids of the tasks that use a key. The last task that releases the key removes its
    content. The set expires when the content is removed for its age, in case a damaged task is never released.

  `inputs` is a `NewInputs`.
]]
local function inputTasks(key)
  return prefix .. 'input_tasks:' .. key
end

-- Replaces a key in the JSON of a request. Text from clients cannot match, because its quotes are escaped.
local function replaceKey(request, from, to)
  local first, last = string.find(request, '"key":"' .. from .. '"', 1, true)
  if not first then return request end
  return string.sub(request, 1, first - 1) .. '"key":"' .. to .. '"' .. string.sub(request, last + 1)
end

-- Makes a task use its contents. Returns its request with the keys that are already stored for its owner.
local function shareInputs(id, inputs, request)
  for _, image in ipairs(inputs.images) do
    local shared = prefix .. 'input:' .. image.hash
    redis.call('SET', shared, image.key, 'NX', 'PX', inputs.sharedForMs)
    local key = redis.call('GET', shared)
    redis.call('SADD', inputTasks(key), id)
    redis.call('PEXPIRE', inputTasks(key), inputs.lifeMs)
    request = replaceKey(request, image.key, key)
  end
  return request
end

-- Returns the keys that were stored for a task, but that no task uses. When a script is repeated, its task may have been
-- removed, and another task may use its key.
local function unusedInputs(inputs)
  local unused = {}
  for _, image in ipairs(inputs.images) do
    if redis.call('EXISTS', inputTasks(image.key)) == 0 then unused[#unused + 1] = image.key end
  end
  return unused
end
