-- ARGV: id, owner, current time. Returns 1, or 0 if the owner has no such file.
--- @include "includes/keys"
--- @include "includes/usage"
--- @include "includes/abandon-copies"
--- @include "includes/remove-file"
return remove_file(ARGV[1], ARGV[2], ARGV[3])
