--[[
  Included at the beginning of every limit script. ARGV: prefix, owner, Unix milliseconds ('' for the Redis clock, which
  all processes share).

  Rates are counted in slots of one second: `r<second>` counts requests, `t<second>` counts tokens, and `l<second>` is
  the time of the slot's last request. A slot expires 60 seconds after that time, so no period of 60 seconds exceeds the
  limit. No client has to wait longer than 60 seconds, because SDKs would ignore a longer wait.
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
