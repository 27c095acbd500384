--[[
  Writes a task's timeline in the same step as the change that an entry records.

  A timeline consists of three lists:

  - `shown` has the changes that clients see: public state and progress. It is never truncated and stays short,
    because states never repeat and progress has a hundred values. Readers can continue from an index.
  - `moved` has the other changes of state.
  - `noted` has everything else. If an entry repeats the last one, only that entry's count is incremented.

  If there are too many entries, the oldest entries of `noted` are removed first, then those of `moved`.
]]
local MAX_TIMELINE_ENTRIES = 500

local SHOWN = {
  queued = 'queued', submitting = 'queued', submit_unknown = 'queued',
  in_progress = 'in_progress', finishing = 'in_progress', canceling = 'in_progress',
  completed = 'completed', failed = 'failed', canceled = 'failed',
}

local function timelineKey(id, list)
  return prefix .. 'timeline:' .. id .. ':' .. list
end

local function lastEntry(id, list)
  local json = redis.call('LINDEX', timelineKey(id, list), -1)
  return json and cjson.decode(json)
end

local function addEntry(id, list, entry)
  redis.call('RPUSH', timelineKey(id, list), cjson.encode(entry))
  local moved, noted = timelineKey(id, 'moved'), timelineKey(id, 'noted')
  local total = redis.call('LLEN', timelineKey(id, 'shown')) + redis.call('LLEN', moved) + redis.call('LLEN', noted)
  if total > MAX_TIMELINE_ENTRIES and not redis.call('LPOP', noted) then redis.call('LPOP', moved) end
end

-- Adds an entry. If it repeats the previous entry without another change in between, increments that entry's count
-- instead.
local function addNote(id, entry)
  local last = lastEntry(id, 'noted')
  local isSame = last and entry.what ~= 'operator'
  for _, field in ipairs({'what', 'outcome', 'httpStatus', 'code', 'reason', 'by', 'note',
    'status', 'progress', 'attempt', 'upstream', 'route'}) do
    isSame = isSame and last[field] == entry[field]
  end
  for _, list in ipairs({'shown', 'moved'}) do
    local other = isSame and lastEntry(id, list)
    if other and other.revision > last.revision then isSame = false end
  end
  if not isSame then return addEntry(id, 'noted', entry) end
  last.count, last.revision, last['until'] = (last.count or 1) + 1, entry.revision, entry.at
  redis.call('LSET', timelineKey(id, 'noted'), -1, cjson.encode(last))
end

local function publish(id, status, progress, revision)
  redis.call('XADD', prefix .. 'events', 'MAXLEN', '~', 10000, '*',
    'id', id, 'status', status, 'progress', progress, 'revision', revision)
end
