-- Appends entries to the ledger's stream. ARGV: prefix, maximum length of the stream, the entries as lines of JSON.
local prefix, maxEntries = ARGV[1], tonumber(ARGV[2])
--- @include "includes/append-entry"

-- Fails while the memory of Redis is full, so that the caller retries. It changes nothing.
redis.call('SETRANGE', prefix .. 'admitted:', 0, '')

for entry in string.gmatch(ARGV[3], '[^\n]+') do appendEntry(entry, maxEntries) end
return 1
