-- Starts the counts of all owners with the files and pending uploads that exist without them.
if redis.call('EXISTS', totals) == 0 then
  for _, id in ipairs(redis.call('ZRANGE', expiries, 0, -1)) do
    local is_file = string.sub(id, 1, 5) == 'file-'
    local key = is_file and file_key(id) or upload_key(id)
    local bytes = redis.call('HGET', key, is_file and 'bytes' or 'received')
    if bytes then
      redis.call('HINCRBY', totals, 'files', 1)
      redis.call('HINCRBY', totals, 'bytes', bytes)
      if is_file then redis.call('HINCRBY', totals, 'created', 1) end
    end
  end
end

-- Counts the files and bytes of an owner, and of all owners. A key without files has no counter.
local function add_usage(owner, files, bytes)
  local key = usage_key(owner)
  local total = redis.call('HINCRBY', key, 'bytes', bytes) + redis.call('HINCRBY', key, 'files', files)
  if total == 0 then redis.call('DEL', key) end
  redis.call('HINCRBY', totals, 'files', files)
  redis.call('HINCRBY', totals, 'bytes', bytes)
end

local function fits(owner, files, bytes, max_files, max_bytes)
  local used = redis.call('HMGET', usage_key(owner), 'files', 'bytes')
  return (files <= 0 or (tonumber(used[1]) or 0) + files <= tonumber(max_files))
    and (bytes <= 0 or (tonumber(used[2]) or 0) + bytes <= tonumber(max_bytes))
end
