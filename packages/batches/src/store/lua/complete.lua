-- Ends a batch whose files are complete. ARGV: id, token, current time, retention, ids of the output and error files
-- (empty if there is none). Returns the status, or '' if the lease was lost.
--- @include "includes/keys"
--- @include "includes/index-batch"
--- @include "includes/jobs"
--- @include "includes/end-batch"
local id, token, now, retention_ms, output, errors = unpack(ARGV)
if not has_lease(id, 'finalize', token) then return '' end
end_lease(id, 'finalize')
redis.call('HSET', batch_key(id), 'outputFileId', output, 'errorFileId', errors)
local closing = redis.call('HGET', batch_key(id), 'closing')
local status = closing == '' and 'completed' or closing
end_batch(id, status, now, retention_ms)
return status
