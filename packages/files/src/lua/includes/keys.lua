-- Names of keys. They match `file-keys.ts`. KEYS: the prefix.
local prefix = KEYS[1]
local garbage, expiries, abandoned = prefix .. 'garbage', prefix .. 'expiries', prefix .. 'abandoned'
local totals = prefix .. 'totals'
local function file_key(id) return prefix .. 'file:' .. id end
local function upload_key(id) return prefix .. 'upload:' .. id end
local function parts_key(id) return prefix .. 'parts:' .. id end
local function copies_key(file) return prefix .. 'copies:' .. file end
local function claim_key(file, account) return prefix .. 'claim:' .. file .. ':' .. account end
local function usage_key(owner) return prefix .. 'usage:' .. owner end
local function owned_key(owner) return prefix .. 'of:' .. owner end
local function purpose_key(purpose, owner) return prefix .. 'purpose:' .. purpose .. ':' .. owner end
