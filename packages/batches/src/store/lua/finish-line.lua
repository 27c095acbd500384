--[[
  Records the result of a line and counts it, unless it has a result. A result is also accepted after its worker has lost
  the lease, because it was paid for. ARGV: id, job, token, line, attempt (empty if the line was not sent), how it is
  counted (`completed`, `failed`, `expired`, or `cancelled`), result as JSON, what must be charged for it (empty if nothing
  must), fields of the batch and what to add to them. Returns 1 if it was recorded.
]]
--- @include "includes/keys"
--- @include "includes/jobs"
local id, job, token, line, attempt, kind, result, charge = unpack(ARGV, 1, 8)
local key = lines_key(id, job)
local isOwn = attempt ~= '' and redis.call('HGET', key, 'i' .. line) == attempt
if not isOwn and not has_lease(id, job, token) then return 0 end
if redis.call('HSETNX', key, 'r' .. line, (kind == 'completed' and 'o' or 'e') .. result) == 0 then return 0 end
if charge ~= '' then redis.call('HSET', key, 'c' .. line, charge) end
redis.call('HINCRBY', batch_key(id), kind, 1)
for at = 9, #ARGV, 2 do redis.call('HINCRBY', batch_key(id), ARGV[at], ARGV[at + 1]) end
redis.call('HINCRBY', stats, 'waiting', -1)
redis.call('HINCRBY', stats, 'lines:' .. kind, 1)
return 1
