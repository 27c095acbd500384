/** Entries that a task's timeline keeps at most. */
const MAX_ENTRIES = 500;

/**
 * Lua shared by the scripts that write a task's timeline, in the same step as the change itself.
 *
 * A timeline is three lists, so that what is dropped first when there are too many entries is decided by where they
 * stand. `shown` holds the changes that clients see: the public state, and the progress. It is never cut, because there
 * are few of them: states go one way and progress has a hundred values. That also lets a reader go on by the place
 * in the list that it has reached. `moved` holds the other changes of state, and `noted` all else, where the same
 * answer again is counted in one entry. When there are too many, the oldest of `noted` go first, then of `moved`.
 */
export const TIMELINE_LUA = `
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
  local kept = redis.call('LLEN', timelineKey(id, 'shown')) + redis.call('LLEN', moved) + redis.call('LLEN', noted)
  if kept > ${MAX_ENTRIES} and not redis.call('LPOP', noted) then redis.call('LPOP', moved) end
end

-- The same again, with nothing in between, is one entry.
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
`;
