--[[
  Replaces a secret. A resent call does nothing. KEYS: the hash. ARGV: new secret, hint, until when the previous
  secret also signs ('' if it does not), now, maximum number of earlier secrets, a secret to remove because it cannot
  be decrypted ('' for none). Returns the earlier secrets as JSON, or '' if there are none.
]]
local untilAt, now, maxEarlier, unreadable = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6]
local secret = redis.call('HGET', KEYS[1], 'secret')
if not secret then return '' end
local known = redis.call('HGET', KEYS[1], 'earlier') or ''
if secret == ARGV[1] then return known end
local earlier = {}
if untilAt then
  if secret ~= unreadable then earlier[1] = { secret = secret, ['until'] = untilAt } end
  for _, one in ipairs(known == '' and {} or cjson.decode(known)) do
    if one['until'] > now and #earlier < maxEarlier then earlier[#earlier + 1] = one end
  end
end
known = #earlier == 0 and '' or cjson.encode(earlier)
redis.call('HSET', KEYS[1], 'secret', ARGV[1], 'hint', ARGV[2], 'earlier', known, 'updatedAt', ARGV[4])
return known
