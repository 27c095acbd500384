/**
 * Lua of the scripts that end a task: what a task that has ended costs its owner, in place of what was held for it.
 *
 * A completed task costs its price by what was really made: the images that are kept, or the seconds of the film, rounded
 * to whole ones as vendors bill them, and at least one. One that was called off while it ran costs what was held, since
 * the vendor had begun. All others cost nothing.
 */
export const SETTLE_LUA = `
-- An output that was lost is told by its error in place of its content.
local function imagesIn(outputs)
  local isJson, list = pcall(cjson.decode, outputs or '[]')
  local images = 0
  for _, output in ipairs(isJson and type(list) == 'table' and list or {}) do
    if type(output) == 'table' and type(output.content) == 'table' then images = images + 1 end
  end
  return images
end

local function secondsOf(told)
  local seconds = safe(tonumber(told))
  return seconds > 0 and math.max(1, math.floor(seconds + 0.5)) or 0
end

-- Worked out before the first write, and sure to be a sum that can be added.
local function costOf(task, set, status, before)
  if status == 'canceled' and before == 'canceling' then return safe(tonumber(task.heldNanos)) end
  if status ~= 'completed' then return 0 end
  local units = task.kind == 'image' and imagesIn(set.outputs or task.outputs) or secondsOf(set.seconds or task.seconds)
  return safe(safe(tonumber(task.taskNanos)) + units * safe(tonumber(task.unitNanos)))
end

local function settle(task, cost)
  if not task.heldNanos then return end
  hold(task.ownerId, -safe(tonumber(task.heldNanos)))
  spend(task.ownerId, cost, serverTime())
  redis.call('HDEL', prefix .. 'task:' .. task.id, 'heldNanos')
end
`;
