--[[
  The beginning of every limit script. ARGV: prefix, owner, Unix milliseconds ('' for the clock of Redis, which all
  processes share).

  Rates are counted in slots of one second: `r<second>` counts requests, `t<second>` tokens, and `l<second>` is the time of
  the last request. A slot counts for 60 seconds after that time. So no period of 60 seconds exceeds the limit, and no
  client has to wait longer than 60 seconds, which SDKs would ignore.
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
