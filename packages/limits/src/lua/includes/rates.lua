--[[
  Rates are counted in slots of one second: `r<second>` counts requests, `t<second>` counts tokens, and `l<second>` is
  the time of the slot's last request. A slot expires 60 seconds after that time, so no period of 60 seconds exceeds the
  limit. No client has to wait longer than 60 seconds, because SDKs would ignore a longer wait.

  The including script defines `prefix` and `now`.
]]
local WINDOW = 60000
local second = tostring(math.floor(now / 1000))
-- The slots that this call has read, by owner.
local windows = {}

local function rateKey(owner)
  return prefix .. 'rate:' .. owner
end

local function forgetWindow(owner)
  windows[owner] = nil
end

-- Returns the used requests and tokens, and the slots by second. Deletes expired slots.
local function windowOf(owner)
  if windows[owner] then return windows[owner] end
  local window = { r = 0, t = 0, slots = {} }
  local flat, expired = redis.call('HGETALL', rateKey(owner)), {}
  for i = 1, #flat, 2 do
    local kind, at = string.sub(flat[i], 1, 1), string.sub(flat[i], 2)
    local slot = window.slots[at]
    if not slot then
      slot = { r = 0, t = 0 }
      window.slots[at] = slot
    end
    slot[kind == 'l' and 'last' or kind] = tonumber(flat[i + 1])
  end
  for at, slot in pairs(window.slots) do
    if slot.last + WINDOW <= now then
      window.slots[at] = nil
      for _, kind in ipairs({ 'r', 't', 'l' }) do table.insert(expired, kind .. at) end
    else
      window.r, window.t = window.r + slot.r, window.t + slot.t
    end
  end
  if #expired > 0 then redis.call('HDEL', rateKey(owner), unpack(expired)) end
  windows[owner] = window
  return window
end

-- Adds to a slot that exists in the window, if the window was read.
local function addToSlot(owner, at, kind, amount)
  redis.call('HINCRBY', rateKey(owner), kind .. at, integer(amount))
  local window = windows[owner]
  if not window then return end
  window[kind] = window[kind] + amount
  window.slots[at][kind] = window.slots[at][kind] + amount
end

-- Counts requests and tokens in the current slot.
local function count(owner, requests, tokens)
  local window = windows[owner]
  if window then
    window.slots[second] = window.slots[second] or { r = 0, t = 0 }
    window.slots[second].last = now
  end
  if requests > 0 then addToSlot(owner, second, 'r', requests) end
  if tokens > 0 then addToSlot(owner, second, 't', tokens) end
  redis.call('HSET', rateKey(owner), 'l' .. second, integer(now))
  redis.call('PEXPIRE', rateKey(owner), 2 * WINDOW)
end
