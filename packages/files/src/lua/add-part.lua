--[[
  Adds a part, whose content is stored, to a pending upload. A part with the same name is replaced.
  ARGV: id, owner, current time, name, content key, bytes, SHA-256, maximum bytes of the owner, maximum bytes of an upload
  that has no maximum of its own, maximum parts. Returns `added`, or the reason why not.
]]
--- @include "includes/keys"
--- @include "includes/usage"
local id, owner, now, name, content, bytes, sha256 = unpack(ARGV, 1, 7)
local known = redis.call('HMGET', upload_key(id), 'owner', 'status', 'expiresAt', 'received', 'declared', 'maxBytes')
if known[1] ~= owner then return 'missing' end
local previous = redis.call('HGET', parts_key(id), name)
local replaced = previous and cjson.decode(previous)
if replaced and replaced[1] == content then return 'added' end
if known[2] ~= 'pending' or tonumber(known[3]) <= tonumber(now) then return 'ended' end
local delta = tonumber(bytes) - (replaced and replaced[2] or 0)
local received = tonumber(known[4]) + delta
local max_bytes = tonumber(known[5]) or tonumber(known[6] or '') or tonumber(ARGV[9])
if received > max_bytes then return 'size' end
if not replaced and redis.call('HLEN', parts_key(id)) >= tonumber(ARGV[10]) then return 'parts' end
if not fits(owner, 0, delta, 0, ARGV[8]) then return 'quota' end
if redis.call('ZREM', garbage, content) == 0 then return 'gone' end
if replaced then redis.call('ZADD', garbage, now, replaced[1]) end
redis.call('HSET', parts_key(id), name, cjson.encode({ content, tonumber(bytes), sha256 }))
redis.call('HINCRBY', upload_key(id), 'received', delta)
add_usage(owner, 0, delta)
return 'added'
