-- Prolongs a claim, or ends it if the duration is 0. ARGV: file id, account, token, duration in milliseconds.
--- @include "includes/keys"
local file, account, token, claim_ms = unpack(ARGV)
local key = claim_key(file, account)
if redis.call('GET', key) ~= token then return end
if claim_ms == '0' then
  redis.call('DEL', key)
else
  redis.call('PEXPIRE', key, claim_ms)
end
