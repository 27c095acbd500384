-- Pauses or resumes all waiting tasks of an owner. ARGV: prefix, now, owner, '1' to pause. Returns the tasks to wake.
--- @include "includes/dispatch"
redis.call(ARGV[4] == '1' and 'SADD' or 'SREM', prefix .. 'paused_owners', ARGV[3])
unpark(ARGV[3])
return dispatched
