--[[
  Prices an ended task and replaces its reservation with the price.

  The price of a completed task depends on its outputs: the stored images, or the video's duration, rounded to full
  seconds as vendors bill it, but at least one. A task that was canceled while it ran costs what was requested, because
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

local function isPresent(text)
  return text ~= nil and text ~= ''
end

-- Returns the images or seconds to bill, or nil if the task is free.
local function billedUnits(task, set, status, before)
  if status == 'canceled' and before == 'canceling' then return clampAmount(tonumber(task.units)) end
  if status ~= 'completed' then return nil end
  if task.kind == 'image' then return countImages(set.outputs or task.outputs) end
  return billedSeconds(set.seconds or task.seconds)
end

--[[
  Returns {units, taskNanos, unitsNanos, isPriced}: the billed units (nil if the task is free), and the parts of the cost.
  Call it before a script's first write. All amounts are valid even if the record is damaged.
]]
local function billOf(task, set, status, before)
  local units = billedUnits(task, set, status, before)
  local bill = { units = units, taskNanos = 0, unitsNanos = 0, isPriced = isPresent(task.unitNanos) }
  if not units or not bill.isPriced then return bill end
  bill.taskNanos = clampAmount(tonumber(task.taskNanos))
  local cost = clampAmount(bill.taskNanos + units * clampAmount(tonumber(task.unitNanos)))
  -- Tasks of earlier versions have no units.
  if status == 'canceled' and not task.units then cost = clampAmount(tonumber(task.heldNanos)) end
  bill.taskNanos = math.min(bill.taskNanos, cost)
  bill.unitsNanos = cost - bill.taskNanos
  return bill
end

local function charge(task, bill, at)
  if not task.heldNanos then return end
  releaseFrom(prefix .. 'task:' .. task.id, task.ownerId)
  spend(task.ownerId, bill.taskNanos + bill.unitsNanos, at)
end
