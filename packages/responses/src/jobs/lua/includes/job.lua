--[[
  The job of a background response, with which workers share the work.

  A job of kind `run` generates a response: it is `queued` until a worker is about to call an upstream, and then `called`.
  A job of kind `poll` reads a response from the vendor that generates it, and stays `queued`. A response that has ended,
  and whose usage is not charged yet, has a job that is `ended`. The usage is in `charge`, which the script that charges it
  removes. After that, the job is removed.

  A job takes over the reservation of its request (`heldNanos`), so that it does not expire before the job is removed.

  `due:<kind>` contains the jobs, sorted by the time at which a worker may claim them. A claim moves this time by a lease,
  which the worker renews. If the worker dies, the lease ends, and another worker claims the job. Each claim increments
  `epoch`, so that a stale worker changes nothing.

  A run that no worker has claimed is in `waiting:run` instead, sorted by its turn. The turns of an owner follow each other
  (`turns:run`), and start after the turn that was claimed last. So owners with many runs and owners with few alternate.

  KEYS: the prefix of the keys of text state. ARGV: the hash of the response's owner and id.
]]
local textPrefix, ref = KEYS[1], ARGV[1]
local prefix = string.gsub(textPrefix, 'text:$', '')
--- @include "includes/budget"
local job = textPrefix .. 'job:' .. ref

local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function due()
  return textPrefix .. 'due:' .. redis.call('HGET', job, 'kind')
end

-- Moves the time at which a worker may claim the job.
local function schedule(delayMs)
  redis.call('ZADD', due(), string.format('%.0f', now() + delayMs), ref)
end

-- Gives a new run its turn.
local function wait(owner)
  local turns = textPrefix .. 'turns:run'
  local claimed, last = unpack(redis.call('HMGET', turns, '', owner))
  local turn = math.max(tonumber(claimed or 0), tonumber(last or 0)) + 1
  redis.call('HSET', turns, owner, string.format('%.0f', turn))
  redis.call('ZADD', textPrefix .. 'waiting:run', string.format('%.0f', turn), ref)
end

local function isClaimed(epoch)
  return redis.call('HGET', job, 'epoch') == epoch
end

-- Moves the reservation of a request to its job.
local function takeReservation(owner, id)
  local amount = redis.call('HGET', reservationsKey(owner), id)
  if not amount then return end
  release(owner, id)
  reserveFor(job, owner, tonumber(amount))
end

-- Keeps a job that has ended until its usage is charged.
local function charge(usage, leaseMs)
  redis.call('HSET', job, 'state', 'ended', 'charge', usage)
  redis.call('HDEL', job, 'body')
  schedule(leaseMs)
end

local function removeJob()
  releaseFrom(job, redis.call('HGET', job, 'owner'))
  redis.call('ZREM', due(), ref)
  local waiting = textPrefix .. 'waiting:run'
  if redis.call('ZREM', waiting, ref) == 1 and redis.call('EXISTS', waiting) == 0 then
    redis.call('DEL', textPrefix .. 'turns:run')
  end
  redis.call('DEL', job)
end
