/**
 * Lua of the move script: what a task that has ended costs its owner, in place of what was held for it.
 *
 * A completed task costs its price by what was really made: the images there are, or the seconds that the vendor tells,
 * rounded to whole ones as vendors bill them. One that was called off while it ran costs what was held, since the vendor
 * had begun. All others cost nothing.
 */
export const SETTLE_LUA = `
local function costOf(task, before)
  if task.status == 'canceled' and before == 'canceling' then return tonumber(task.heldNanos) end
  if task.status ~= 'completed' then return 0 end
  local units = task.kind == 'image' and #cjson.decode(task.outputs or '[]') or math.floor(tonumber(task.seconds) + 0.5)
  return tonumber(task.taskNanos) + units * tonumber(task.unitNanos)
end

local function settle(task, before)
  if not task.heldNanos then return end
  hold(task.ownerId, -tonumber(task.heldNanos))
  spend(task.ownerId, costOf(task, before), serverTime())
  redis.call('HDEL', prefix .. 'task:' .. task.id, 'heldNanos')
end
`;
