--[[
  Makes a file of the parts of a pending upload. Parts that are not named become garbage. If the upload is already
  completed, returns the id of its file.
  ARGV: upload id, owner, current time, file id, time for which the upload stays readable, the media type of the file
  (empty: as declared), the names of the parts in their order.
  Returns the status and values: `completed` and the file's id, `size` and the sizes of the parts and of the upload,
  `part` and the name of a missing part, `missing`, or `ended`.
]]
--- @include "includes/keys"
--- @include "includes/usage"
--- @include "includes/index-file"
local id, owner, now, file, kept_ms, media_type = unpack(ARGV, 1, 6)
local known = redis.call(
  'HMGET', upload_key(id), 'owner', 'status', 'expiresAt', 'received', 'declared', 'fileId', 'purpose', 'filename',
  'mediaType', 'lifetimeMs'
)
if known[1] ~= owner then return { 'missing', '' } end
if known[2] == 'completed' then return { 'completed', known[6] } end
if known[2] ~= 'pending' or tonumber(known[3]) <= tonumber(now) then return { 'ended', '' } end

local parts, hashes, used, bytes = {}, {}, {}, 0
for at = 7, #ARGV do
  local text = not used[ARGV[at]] and redis.call('HGET', parts_key(id), ARGV[at])
  if not text then return { 'part', ARGV[at] } end
  used[ARGV[at]] = true
  local part = cjson.decode(text)
  parts[#parts + 1] = { part[1], part[2] }
  hashes[#hashes + 1] = part[3]
  bytes = bytes + part[2]
end
if known[5] ~= '' and bytes ~= tonumber(known[5]) then return { 'size', string.format('%.0f', bytes), known[5] } end

local all = redis.call('HGETALL', parts_key(id))
for at = 1, #all, 2 do
  if not used[all[at]] then redis.call('ZADD', garbage, now, cjson.decode(all[at + 1])[1]) end
end
local expires_at = string.format('%.0f', tonumber(now) + tonumber(known[10]))
redis.call(
  'HSET', file_key(file), 'id', file, 'owner', owner, 'purpose', known[7], 'filename', known[8],
  'mediaType', media_type ~= '' and media_type or known[9],
  'bytes', string.format('%.0f', bytes), 'createdAt', now, 'expiresAt', expires_at,
  'etag', #hashes == 1 and hashes[1] or redis.sha1hex(table.concat(hashes)),
  'sha256', #hashes == 1 and hashes[1] or '', 'parts', #parts == 0 and '[]' or cjson.encode(parts)
)
index_file(file, owner, known[7], expires_at)
redis.call('HSET', upload_key(id), 'status', 'completed', 'fileId', file)
redis.call('PEXPIRE', upload_key(id), kept_ms)
redis.call('DEL', parts_key(id))
redis.call('ZREM', expiries, id)
add_usage(owner, 0, bytes - tonumber(known[4]))
return { 'completed', file }
