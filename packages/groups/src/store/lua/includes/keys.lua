--[[
  Names of keys. They match `group-keys.ts`. KEYS: the prefix of the deployment.

  `group:<id>` is the record, with a counter `n:<state>` for each state of an item. `items:<id>` has the fields of the
  items: `<index>:request`, `:max`, `:state`, `:retries`, `:begun`, `:task`, `:previous`, and `:error`, and in `shared`,
  the fields of all requests. `due` has the open groups by the time of their next check. A worker that has the lease of a
  group sets this time to the end of the lease. `bytes:<owner>` counts the bytes of the requests in the owner's groups.
  `all` has the groups of all owners. Ids sort by the time of creation.
]]
local root = KEYS[1]
local prefix = root .. 'groups:'
local due, expiring, all = prefix .. 'due', prefix .. 'expiring', prefix .. 'all'
local function group_key(id) return prefix .. 'group:' .. id end
local function items_key(id) return prefix .. 'items:' .. id end
local function owned_key(owner) return prefix .. 'of:' .. owner end
local function open_key(owner) return prefix .. 'open:' .. owner end
local function bytes_key(owner) return prefix .. 'bytes:' .. owner end
local IS_FINAL = { completed = true, failed = true, cancelled = true }
local function integer(number) return string.format('%.0f', number) end
