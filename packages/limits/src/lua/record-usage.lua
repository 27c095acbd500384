--[[
  Replaces a request's reservation by its usage, which is zero when it has failed. Sent twice, it counts once.

  ARGV from the fourth: the request's id, when it was admitted as Unix milliseconds ('' when nothing was reserved, or when
  the reply of the admission was lost), tokens to add to those that were counted then (negative: too many were counted),
  nano-dollars spent.
]]
--- @include "includes/rates"
local id, admittedAt, correction, nanos = ARGV[4], ARGV[5], tonumber(ARGV[6]), clampAmount(tonumber(ARGV[7]))
local tokens = correction and correction < 0 and -clampAmount(-correction) or clampAmount(correction)
local recordedKey = prefix .. 'settled:' .. id
if redis.call('EXISTS', recordedKey) == 1 then return 0 end
local admittedKey = prefix .. 'admitted:' .. id
-- Of several admissions the first counts, whichever reply arrived.
local admittedIn, counted = string.match(redis.call('GET', admittedKey) or '', '^(%d+) (%d+)$')
if admittedIn then
  -- Admitted although the reply was lost: its tokens are counted already.
  if admittedAt == '' then tokens = tokens - tonumber(counted) end
elseif admittedAt ~= '' then
  admittedIn = integer(math.floor(tonumber(admittedAt) / 1000))
end
local last = admittedIn and tonumber(redis.call('HGET', rateKey, 'l' .. admittedIn) or 0) or 0
if tokens ~= 0 and last + WINDOW > now then
  redis.call('HINCRBY', rateKey, 't' .. admittedIn, integer(tokens))
elseif tokens > 0 then
  -- The admission's slot has left the window, and the excess has never been in it.
  count('t', tokens)
end
release(owner, id)
spend(owner, nanos, now)
-- Last: usage that could not be counted may be sent again.
redis.call('SET', recordedKey, '1', 'PX', WINDOW)
redis.call('DEL', admittedKey)
return 1
