--[[
  Claims due jobs, and then runs that wait for their turn. KEYS: the prefix of the keys of text state. ARGV: kind, lease in
  ms, maximum number. Returns {hash, epoch, hash, epoch...}.
]]
local prefix, kind, leaseMs, limit = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local due = prefix .. 'due:' .. kind
local time = redis.call('TIME')
local at = time[1] * 1000 + math.floor(time[2] / 1000)
local claimed = {}

local function claim(ref)
  local job = prefix .. 'job:' .. ref
  if redis.call('EXISTS', job) == 0 then
    redis.call('ZREM', due, ref)
    return
  end
  redis.call('ZADD', due, string.format('%.0f', at + leaseMs), ref)
  claimed[#claimed + 1] = ref
  claimed[#claimed + 1] = redis.call('HINCRBY', job, 'epoch', 1)
end

for _, ref in ipairs(redis.call('ZRANGE', due, '-inf', string.format('%.0f', at), 'BYSCORE', 'LIMIT', 0, limit)) do
  claim(ref)
end
if kind ~= 'run' then return claimed end

local turns, waiting = prefix .. 'turns:run', prefix .. 'waiting:run'
while #claimed / 2 < limit and redis.call('EXISTS', waiting) == 1 do
  local ref, turn = unpack(redis.call('ZPOPMIN', waiting))
  redis.call('HSET', turns, '', turn)
  claim(ref)
end
-- If no run waits, all turns are the same.
if redis.call('EXISTS', waiting) == 0 then redis.call('DEL', turns) end
return claimed
