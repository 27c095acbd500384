-- Records where the vendor's results of segments are. ARGV: id, token, then index-results pairs. Returns 1, or 0 if the
-- lease was lost.
--- @include "includes/keys"
--- @include "includes/jobs"
if not has_lease(ARGV[1], 'vendor', ARGV[2]) then return 0 end
redis.call('HSET', results_key(ARGV[1]), unpack(ARGV, 3))
return 1
