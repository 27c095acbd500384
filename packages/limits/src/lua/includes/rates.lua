--[[
  The beginning of every script on one key. ARGV: prefix, owner, Unix milliseconds ('' for Redis' own clock, which all
  processes share).

  Rates are counted in slots of a second: `r<second>` requests, `t<second>` tokens, and `l<second>`, the time of the last
  of them. A slot counts until that time is 60 seconds past. So no 60 seconds ever see more than the limit, and no client
  is told to wait longer than that: SDKs do not obey longer waits.
]]
local prefix, owner = ARGV[1], ARGV[2]
--- @include "includes/budget"
local now = ARGV[3] == '' and serverTime() or tonumber(ARGV[3])
local second = math.floor(now / 1000)
local rateKey = prefix .. 'rate:' .. owner
local WINDOW = 60000

local function count(kind, amount)
  redis.call('HINCRBY', rateKey, kind .. second, integer(amount))
  redis.call('HSET', rateKey, 'l' .. second, integer(now))
  redis.call('PEXPIRE', rateKey, 2 * WINDOW)
end
