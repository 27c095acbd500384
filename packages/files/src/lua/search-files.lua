--[[
  Finds files of all owners, those that expire last first. Reads at most 1,000 entries. ARGV: purpose (empty for all),
  cursor (empty for the first page), maximum files, fields. Returns the cursor of the next page (empty after the last
  one), and the fields of each file.
]]
--- @include "includes/keys"
local purpose, cursor, max_files = ARGV[1], ARGV[2], tonumber(ARGV[3])
local last_score, last_id = string.match(cursor, '^(%d+):(.+)$')
local entries = redis.call(
  'ZRANGE', expiries, last_score or '+inf', '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, 1000, 'WITHSCORES'
)
local files, position = {}, ''
for at = 1, #entries, 2 do
  local id, score = entries[at], entries[at + 1]
  local is_read = score == last_score and id >= last_id
  if not is_read and string.sub(id, 1, 5) == 'file-' then
    if #files == max_files then return { position, files } end
    local fields = redis.call('HMGET', file_key(id), 'purpose', unpack(ARGV, 4))
    if fields[1] and (purpose == '' or fields[1] == purpose) then files[#files + 1] = fields end
  end
  position = score .. ':' .. id
end
return { #entries == 2000 and position or '', files }
