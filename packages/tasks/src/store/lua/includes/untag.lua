-- Removes a task from the indexes by user and label. `tags` is the record's field: hashes, separated by spaces.
local function untag(id, tags)
  for tag in string.gmatch(tags or '', '%S+') do redis.call('ZREM', prefix .. 'tag:' .. tag, id) end
end
