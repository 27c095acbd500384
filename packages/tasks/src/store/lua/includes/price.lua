--[[
  Prices an ended task and replaces its reservation with the price.

  The price of a completed task depends on its outputs: the stored images, or the video's duration, rounded to full
  seconds as vendors bill it, but at least one. A task that was canceled while it ran costs its reservation, because
  the vendor had started it. All other tasks are free.
]]

-- Counts outputs with content. A lost output has an error instead of content.
local function countImages(outputs)
  local isJson, list = pcall(cjson.decode, outputs or '[]')
  local images = 0
  for _, output in ipairs(isJson and type(list) == 'table' and list or {}) do
    if type(output) == 'table' and type(output.content) == 'table' then images = images + 1 end
  end
  return images
end

local function billedSeconds(text)
  local seconds = clampAmount(tonumber(text))
  return seconds > 0 and math.max(1, math.floor(seconds + 0.5)) or 0
end

-- Call it before a script's first write. The result is a valid amount even if the record is damaged.
local function costOf(task, set, status, before)
  if status == 'canceled' and before == 'canceling' then return clampAmount(tonumber(task.heldNanos)) end
  if status ~= 'completed' then return 0 end
  local units = task.kind == 'image' and countImages(set.outputs or task.outputs)
    or billedSeconds(set.seconds or task.seconds)
  return clampAmount(clampAmount(tonumber(task.taskNanos)) + units * clampAmount(tonumber(task.unitNanos)))
end

local function charge(task, cost)
  if not task.heldNanos then return end
  reserve(task.ownerId, -clampAmount(tonumber(task.heldNanos)))
  spend(task.ownerId, cost, serverTime())
  redis.call('HDEL', prefix .. 'task:' .. task.id, 'heldNanos')
end
