--[[
  Removes a response with its job and its log. The usage of a response that its vendor still generates stays unknown.
  ARGV: the arguments of `job`, other keys to remove.
  Returns {1 if the response existed, the admission if it waited for a worker, or ''}.
]]
--- @include "includes/job"
local state, admission, unknown = unpack(redis.call('HMGET', job, 'state', 'admission', 'unknown'))
-- An ended response may still have to be charged.
if state and state ~= 'ended' then
  if unknown then charge(unknown, 0) else removeJob() end
end
local removed = redis.call('DEL', textPrefix .. 'response:' .. ref)
redis.call('DEL', textPrefix .. 'alive:' .. ref, textPrefix .. 'log:' .. ref, unpack(ARGV, 2))
return { removed, state == 'queued' and admission or '' }
