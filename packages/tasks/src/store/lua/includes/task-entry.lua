--[[
  Builds the ledger entry of an ended task, a `LedgerEntry` of `packages/ledger`, which shares no code with this package.
  The entry's id is the task's id. A task ends only once, and a repetition of an interrupted end has the same id.

  The entry is built as text, because cjson would round large numbers. A damaged field of the record is omitted.
]]

-- Returns the members of an object in JSON, without the braces.
local function membersOf(json)
  local isJson, value = pcall(cjson.decode, json)
  return isJson and type(value) == 'table' and string.match(json, '^{(.+)}$') or nil
end

local function elapsedMs(from, to)
  from, to = tonumber(from), tonumber(to)
  return from and to and integer(clampAmount(to - from)) or nil
end

local function usageOf(task, units)
  local members = {}
  if task.kind == 'image' then
    members[1] = '"images":' .. integer(units)
  else
    members[1] = '"videoSeconds":' .. integer(units)
  end
  members[2] = task.usage and membersOf(task.usage)
  return '{' .. table.concat(members, ',') .. '}'
end

local function linesOf(task, bill)
  local lines = {}
  local function addLine(unit, quantity, nanos)
    if nanos == 0 then return end
    lines[#lines + 1] = '{"unit":"' .. unit .. '","quantity":' .. integer(quantity) .. ',"nanos":' .. integer(nanos) .. '}'
  end
  addLine(task.kind == 'image' and 'images' or 'video_seconds', bill.units, bill.unitsNanos)
  addLine('requests', 1, bill.taskNanos)
  return '[' .. table.concat(lines, ',') .. ']'
end

-- The time is in Unix milliseconds.
local function taskEntry(task, bill, at)
  local members = {}
  local function add(name, json)
    if json then members[#members + 1] = '"' .. name .. '":' .. json end
  end
  local function addText(name, text)
    if isPresent(text) then add(name, cjson.encode(text)) end
  end
  -- Tasks of earlier versions have no fields from the request, but every entry needs an endpoint.
  local endpoint = task.kind == 'image' and 'POST /v1/images/generations' or 'POST /v1/videos'
  members[1] = task.ledger and membersOf(task.ledger) or '"endpoint":' .. cjson.encode(endpoint)
  addText('id', task.id)
  addText('type', 'task')
  add('at', integer(at))
  addText('taskId', task.id)
  addText('key', task.ownerId)
  addText('model', task.model)
  -- The account of a pool's credential is `upstream.credential`.
  local upstream, credential = string.match(task.upstream or '', '^([^.]*)%.(.*)$')
  addText('upstream', upstream or task.upstream)
  addText('credential', credential)
  addText('upstreamModel', task.upstreamModel)
  if isPresent(task.attempts) and membersOf('{"attempts":[' .. task.attempts .. ']}') then
    add('attempts', '[' .. task.attempts .. ']')
  end
  addText('status', task.status)
  if task.status ~= 'completed' then addText('errorCode', task.errorCode) end
  add('durationMs', elapsedMs(task.createdAt, now) or '0')
  add('queueMs', elapsedMs(task.createdAt, task.submittedAt or now))
  if task.submittedAt then add('runMs', elapsedMs(task.submittedAt, now)) end
  if bill.units then add('usage', usageOf(task, bill.units)) end
  if not bill.units then
    add('costNanos', '0')
  elseif bill.isPriced then
    add('costNanos', integer(bill.taskNanos + bill.unitsNanos))
    add('lines', linesOf(task, bill))
    local source = isPresent(task.priceSource) and membersOf(task.priceSource)
    -- The prices of earlier versions are from the configuration.
    add('priceSource', '{' .. (source or '"from":"config"') .. '}')
  end
  return '{' .. table.concat(members, ',') .. '}'
end
