--[[
  Appends an entry to the ledger's stream, from which workers move the entries to the store. If the stream is full, the
  entry is dropped and counted. The limit scripts and the task scripts include this file and must define `prefix`.

  Redis does not roll back a script that fails, and a missing entry must not undo a charge. Therefore this function never
  fails.
]]
local function appendEntry(entry, maxEntries)
  local stream = prefix .. 'ledger'
  local length = redis.pcall('XLEN', stream)
  if type(length) == 'number' and length < maxEntries then
    local id = redis.pcall('XADD', stream, '*', 'entry', entry)
    if not (type(id) == 'table' and id.err) then return end
  end
  redis.pcall('INCR', prefix .. 'ledger:dropped')
end
