--[[
  Records the copy of a file at a vendor, and ends the claim. If the file was deleted meanwhile, the copy is abandoned.
  ARGV: file id, account, current time, token, the copy as JSON, time for which Redis keeps it.
]]
--- @include "includes/keys"
--- @include "includes/abandon-copies"
local file, account, now, token, copy, kept_ms = unpack(ARGV)
if redis.call('GET', claim_key(file, account)) == token then redis.call('DEL', claim_key(file, account)) end
if redis.call('EXISTS', file_key(file)) == 0 then
  abandon_copy(account, copy, now)
  return
end
local previous = redis.call('HGET', copies_key(file), account)
if previous and previous ~= copy then abandon_copy(account, previous, now) end
redis.call('HSET', copies_key(file), account, copy)
redis.call('PEXPIRE', copies_key(file), kept_ms)
