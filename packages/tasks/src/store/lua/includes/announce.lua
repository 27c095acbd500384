--[[
  Announces the end of a task to the owner's webhooks.

  The entry is added to the outbox of `packages/webhooks`, which shares the key prefix but no code with this package.
  The outbox is the list `webhooks:outbox` of JSON objects {task, owner, kind, status, at, callback?, shape?}. An
  owner with registered webhooks has the set `webhooks:of:<owner>`. For all other tasks, this costs one EXISTS.
]]
-- With `announcesAll`, the sets are in another Redis, to which workers move the outbox.
local function announce(task, announcesAll)
  if task.deleted == '1' then return end
  if not announcesAll and not task.callbackUrl
    and redis.call('EXISTS', prefix .. 'webhooks:of:' .. task.ownerId) == 0 then
    return
  end
  redis.call('RPUSH', prefix .. 'webhooks:outbox', cjson.encode({
    task = task.id, owner = task.ownerId, kind = task.kind, status = task.status, at = now,
    callback = task.callbackUrl, shape = task.callbackShape,
  }))
end
