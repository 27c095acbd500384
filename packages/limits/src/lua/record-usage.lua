--[[
  Replaces a request's reservation with its usage, which is zero if the request failed. A resent call has no effect.

  ARGV[4] and later: the request's id, the Unix milliseconds of its admission ('' if nothing was reserved or Redis's
  reply to the admission was lost), tokens to add to the reserved tokens (negative if fewer were used), nano-dollars
  spent.
]]
--- @include "includes/rates"
local id, admittedAt, correction, nanos = ARGV[4], ARGV[5], tonumber(ARGV[6]), clampAmount(tonumber(ARGV[7]))
local tokens = correction and correction < 0 and -clampAmount(-correction) or clampAmount(correction)
local recordedKey = prefix .. 'settled:' .. id
if redis.call('EXISTS', recordedKey) == 1 then return 0 end
local admittedKey = prefix .. 'admitted:' .. id
-- Uses the first admission's time, because a resent admission does not reserve again.
local admittedIn, counted = string.match(redis.call('GET', admittedKey) or '', '^(%d+) (%d+)$')
if admittedIn then
  -- The request was admitted although Redis's reply was lost, so its tokens were already counted.
  if admittedAt == '' then tokens = tokens - tonumber(counted) end
elseif admittedAt ~= '' then
  admittedIn = integer(math.floor(tonumber(admittedAt) / 1000))
end
local last = admittedIn and tonumber(redis.call('HGET', rateKey, 'l' .. admittedIn) or 0) or 0
if tokens ~= 0 and last + WINDOW > now then
  redis.call('HINCRBY', rateKey, 't' .. admittedIn, integer(tokens))
elseif tokens > 0 then
  -- The admission's slot has expired, so the additional tokens are counted in the current slot.
  count('t', tokens)
end
release(owner, id)
spend(owner, nanos, now)
-- Set last, so that the usage can be sent again if an earlier command fails.
redis.call('SET', recordedKey, '1', 'PX', WINDOW)
redis.call('DEL', admittedKey)
return 1
