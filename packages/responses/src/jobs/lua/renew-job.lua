--[[
  Moves the time at which a worker may claim the job. ARGV: the arguments of `job`, epoch, delay in ms.
  Returns `renewed`, `lost` if another worker has claimed the job, or `gone` if a client has ended the response.
]]
--- @include "includes/job"
local epoch = redis.call('HGET', job, 'epoch')
if not epoch then return 'gone' end
if epoch ~= ARGV[2] then return 'lost' end
schedule(tonumber(ARGV[3]))
return 'renewed'
