--[[
  Applies admissions and usage records in the given order. Requests of the same moment share one call, because a call
  costs more than its content.

  ARGV: prefix, Unix milliseconds ('' for the Redis clock, which all processes share), lifetime of reservations in
  milliseconds, maximum length of the ledger's stream, then the entries. An entry begins with `admit` or `record`, and
  the owner.

  Returns one reply for each entry. An entry that fails has an error as its reply and does not affect the others.
]]
local prefix = ARGV[1]
--- @include "includes/budget"
local now = ARGV[2] == '' and serverTime() or tonumber(ARGV[2])
local lifeMs, maxLedgerEntries = tonumber(ARGV[3]), tonumber(ARGV[4])
--- @include "includes/rates"
--- @include "includes/admit-request"
--- @include "includes/append-entry"
--- @include "includes/record-usage"

-- Redis rejects commands for a lack of memory only before the first write of a script. Without this attempt, a usage
-- record would let the following admissions pass. It changes nothing.
local attempt = redis.pcall('SETRANGE', prefix .. 'admitted:', 0, '')
local refusal = type(attempt) == 'table' and attempt.err and attempt

local replies, at = {}, 5
while ARGV[at] do
  local isAdmission, owner = ARGV[at] == 'admit', ARGV[at + 1]
  local succeeded, reply = true, refusal
  if not (isAdmission and refusal) then
    succeeded, reply = pcall(isAdmission and admitRequest or recordUsage, owner, at + 2)
  end
  if not succeeded then
    forgetWindow(owner)
    if type(reply) ~= 'table' then reply = { err = 'ERR ' .. tostring(reply) } end
  end
  table.insert(replies, reply)
  at = at + (isAdmission and ADMISSION_SIZE or RECORD_SIZE)
end
return replies
