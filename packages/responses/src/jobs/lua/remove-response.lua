--[[
  Removes a response with its job and its log. ARGV: the arguments of `job`, other keys to remove.
  Returns {1 if the response existed, the admission if it waited for a worker, or ''}.
]]
--- @include "includes/job"
local state, admission = unpack(redis.call('HMGET', job, 'state', 'admission'))
-- An ended response may still have to be charged.
if state and state ~= 'ended' then removeJob() end
local removed = redis.call('DEL', prefix .. 'response:' .. ref)
redis.call('DEL', prefix .. 'alive:' .. ref, prefix .. 'log:' .. ref, unpack(ARGV, 2))
return { removed, state == 'queued' and admission or '' }
