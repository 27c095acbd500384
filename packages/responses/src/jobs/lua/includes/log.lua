--[[
  The log of a response's events, from which clients read streams. It is a Redis stream. Each entry contains some events,
  and its id is the sequence number of the last one plus 1, so that a reader finds the events after a number. If the log
  is too long, its oldest entries are removed.
]]
--- @include "includes/job"

local function appendEvents(first, last, text, maxBytes, lifeMs, isEnd)
  local log = textPrefix .. 'log:' .. ref
  local id = string.format('%.0f-0', last + 1)
  redis.call('XADD', log, id, 'first', first, 'text', text, 'end', isEnd and '1' or '0')
  redis.call('HSET', job, 'next', string.format('%.0f', last + 1))
  local bytes = redis.call('HINCRBY', job, 'bytes', #text)
  while bytes > maxBytes do
    local oldest = redis.call('XRANGE', log, '-', '+', 'COUNT', 1)[1]
    if oldest[1] == id then break end
    redis.call('XDEL', log, oldest[1])
    bytes = redis.call('HINCRBY', job, 'bytes', -#oldest[2][4])
  end
  redis.call('PEXPIRE', log, lifeMs)
end
