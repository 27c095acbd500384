--[[
  Appends events to the log. A repetition has no effect. ARGV: the arguments of `job`, epoch, sequence numbers of the
  first and the last event, events as text, maximum size of the log in bytes, retention in ms.
  Returns 1, or 0 if the worker has lost the job.
]]
--- @include "includes/log"
local first, last = tonumber(ARGV[3]), tonumber(ARGV[4])
if not isClaimed(ARGV[2]) then return 0 end
if tonumber(redis.call('HGET', job, 'next') or 0) <= first then
  appendEvents(first, last, ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7]), false)
end
return 1
