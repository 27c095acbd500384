--[[
  Replaces a request's reservation with its usage, which is zero if the request failed. A repeated record has no effect.

  Arguments: the request's id, the Unix milliseconds of its admission ('' if nothing was reserved or Redis's reply to
  the admission was lost), tokens to add to the reserved tokens (negative if fewer were used), nano-dollars spent, the
  request's ledger entry ('' if there is none), a charge that is due ('' if there is none). Such a charge is a field and
  the key of its hash, and can have the key of a record, from whose reservation the charge is taken. The charge removes
  the field, and has no effect without it. The including script defines `maxLedgerEntries`.

  Returns 1, or 0 for a repetition.
]]
local RECORD_SIZE = 8

local function recordUsage(owner, at)
  local id, admittedAt = ARGV[at], ARGV[at + 1]
  local correction, nanos = tonumber(ARGV[at + 2]), clampAmount(tonumber(ARGV[at + 3]))
  local tokens = correction and correction < 0 and -clampAmount(-correction) or clampAmount(correction)
  local recordedKey = prefix .. 'settled:' .. id
  local dueField, dueKey, recordKey = string.match(ARGV[at + 5], '^(%S+) (%S+) ?(%S*)$')
  if dueField and not redis.call('HGET', dueKey, dueField) then return 0 end
  if redis.call('EXISTS', recordedKey) == 1 then
    if dueField then redis.call('HDEL', dueKey, dueField) end
    return 0
  end
  local admittedKey = prefix .. 'admitted:' .. id
  -- Uses the first admission's time, because a resent admission does not reserve again.
  local admittedIn, counted = string.match(redis.call('GET', admittedKey) or '', '^(%d+) (%d+)$')
  if admittedIn then
    -- The request was admitted although Redis's reply was lost, so its tokens were already counted.
    if admittedAt == '' then tokens = tokens - tonumber(counted) end
  elseif admittedAt ~= '' then
    admittedIn = integer(math.floor(tonumber(admittedAt) / 1000))
  end
  local last = admittedIn and tonumber(redis.call('HGET', rateKey(owner), 'l' .. admittedIn) or 0) or 0
  if tokens ~= 0 and last + WINDOW > now then
    addToSlot(owner, admittedIn, 't', tokens)
  elseif tokens > 0 then
    -- The admission's slot has expired, so the additional tokens are counted in the current slot.
    count(owner, 0, tokens)
  end
  release(owner, id)
  if dueField and recordKey ~= '' then releaseFrom(recordKey, owner, nanos) end
  spend(owner, nanos, now)
  local entry = ARGV[at + 4]
  if entry ~= '' then appendEntry(entry, maxLedgerEntries) end
  -- Set last, so that the usage can be sent again if an earlier command fails.
  redis.call('SET', recordedKey, '1', 'PX', WINDOW)
  redis.call('DEL', admittedKey)
  if dueField then redis.call('HDEL', dueKey, dueField) end
  return 1
end
