--[[
  Replaces a request's reservation by its usage, which is zero if the request has failed. A resent call counts once.

  ARGV from the fourth: the request's id, the Unix milliseconds of its admission ('' if nothing was reserved, or if the
  reply of the admission was lost), tokens to add to the reserved ones (negative if fewer were used), nano-dollars spent.
]]
--- @include "includes/rates"
local id, admittedAt, correction, nanos = ARGV[4], ARGV[5], tonumber(ARGV[6]), clampAmount(tonumber(ARGV[7]))
local tokens = correction and correction < 0 and -clampAmount(-correction) or clampAmount(correction)
local recordedKey = prefix .. 'settled:' .. id
if redis.call('EXISTS', recordedKey) == 1 then return 0 end
local admittedKey = prefix .. 'admitted:' .. id
-- The first of several admissions counts, because a resent admission does not reserve again.
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
  -- The slot of the admission has expired, so the additional tokens count now.
  count('t', tokens)
end
release(owner, id)
spend(owner, nanos, now)
-- This comes last, so that usage can be sent again if a command before has failed.
redis.call('SET', recordedKey, '1', 'PX', WINDOW)
redis.call('DEL', admittedKey)
return 1
