-- Ends files and uploads that have expired. ARGV: current time, maximum number, time for which an upload stays readable.
-- Returns how many have ended.
--- @include "includes/keys"
--- @include "includes/usage"
--- @include "includes/abandon-copies"
--- @include "includes/remove-file"
--- @include "includes/end-upload"
local now = ARGV[1]
local ids = redis.call('ZRANGE', expiries, '-inf', now, 'BYSCORE', 'LIMIT', 0, ARGV[2])
for _, id in ipairs(ids) do
  if string.sub(id, 1, 5) == 'file-' then
    remove_file(id, '', now)
  else
    end_upload(id, 'expired', now, ARGV[3])
  end
end
return #ids
