-- Records segments while a batch is validated. ARGV: id, token, then index-range pairs. Returns 1, or 0 if the lease was
-- lost.
--- @include "includes/keys"
--- @include "includes/jobs"
if not has_lease(ARGV[1], 'validate', ARGV[2]) then return 0 end
redis.call('HSET', segments_key(ARGV[1]), unpack(ARGV, 3))
return 1
