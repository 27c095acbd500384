/**
 * Lua of the move script: tells of a task's end whoever wants to hear of it.
 *
 * The entry stands in the outbox of `packages/webhooks`, which shares the prefix and no code with this package: the list
 * `webhooks:outbox` of JSON objects `{task, owner, kind, status, at, callback?, shape?}`. Owners with registered webhooks
 * are those that have the set `webhooks:of:<owner>`. For all other tasks this costs one look.
 */
export const ANNOUNCE_LUA = `
local function announce(task)
  if task.deleted == '1' then return end
  if not task.callbackUrl and redis.call('EXISTS', prefix .. 'webhooks:of:' .. task.ownerId) == 0 then return end
  redis.call('RPUSH', prefix .. 'webhooks:outbox', cjson.encode({
    task = task.id, owner = task.ownerId, kind = task.kind, status = task.status, at = now,
    callback = task.callbackUrl, shape = task.callbackShape,
  }))
end
`;
