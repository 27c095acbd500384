--[[
  Names of keys. They match `batch-keys.ts`. KEYS: the prefix of the deployment.

  A batch has jobs: `validate`, `vendor` if a vendor runs it, the index of each segment of its input, and `finalize`. A
  job is in `jobs:<batch>` until a worker has its lease. `leases` has the jobs of workers by the end of their leases,
  and `tokens` who has them. If a lease ends, the job is returned to `jobs`.

  `ready:<owner>` has the owner's batches with a job that can start, the highest priority first, and then the oldest.
  `owners` has the owners of such batches by their highest priority, and then by who was served longest ago.

  `all` has the batches of all owners. Ids sort by the time of creation.
]]
local prefix = KEYS[1]
local base = prefix .. 'batches:'
local owners, leases, tokens = base .. 'owners', base .. 'leases', base .. 'tokens'
local served, deadlines = base .. 'served', base .. 'deadlines'
local expiring, stats, all = base .. 'expiring', base .. 'stats', base .. 'all'
local function batch_key(id) return base .. 'batch:' .. id end
local function jobs_key(id) return base .. 'jobs:' .. id end
local function segments_key(id) return base .. 'segments:' .. id end
local function results_key(id) return base .. 'results:' .. id end
local function lines_key(id, job) return base .. 'lines:' .. id .. ':' .. job end
local function owned_key(owner) return base .. 'of:' .. owner end
local function open_key(owner) return base .. 'open:' .. owner end
local function ready_key(owner) return base .. 'ready:' .. owner end
local IS_FINAL = { completed = true, failed = true, expired = true, cancelled = true }
local function decimal(number) return string.format('%.0f', number) end
