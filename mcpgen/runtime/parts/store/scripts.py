"""The store's atomic operations, as Lua scripts that use Redis' own clock.

The keys of one server are in one hash slot. Times are in microseconds, which a double represents
exactly.
"""

from __future__ import annotations

_BEGINNING = """
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local function lasting(key)
  local last = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')[2]
  redis.call('PEXPIREAT', key, math.ceil(last / 1000) + 1)
end
"""
"""The clock, and what lets a sorted set end with the last of its members."""

ADMIT = (
    _BEGINNING
    + """
local holder, lease, seats, counts = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
for i = 1, seats do
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now)
  local held = counts == '1' and redis.call('ZSCORE', KEYS[i], holder)
  if not held and redis.call('ZCARD', KEYS[i]) >= tonumber(ARGV[4 + i]) then
    return {i, '0'}
  end
end
local left = {}
for i = seats + 1, #KEYS do
  local most = tonumber(ARGV[4 + i])
  local kept = redis.call('HMGET', KEYS[i], 'left', 'at')
  left[i] = most
  if kept[1] then
    local grown = math.max(0, now - tonumber(kept[2])) * most / 60000000
    left[i] = math.min(most, tonumber(kept[1]) + grown)
  end
  if left[i] < 1 then
    return {i, string.format('%.6f', (1 - left[i]) * 60 / most)}
  end
end
if counts == '1' then
  for i = 1, seats do
    redis.call('ZADD', KEYS[i], now + lease * 1000000, holder)
    lasting(KEYS[i])
  end
  for i = seats + 1, #KEYS do
    local rest, at = string.format('%.17g', left[i] - 1), string.format('%.0f', now)
    redis.call('HSET', KEYS[i], 'left', rest, 'at', at)
    redis.call('PEXPIRE', KEYS[i], 60000)
  end
end
return {0, '0'}
"""
)
"""Counts one more against all limits, or says which one is reached, and for how many seconds.

KEYS: those of seats, then those of rates. ARGV: holder, seconds of the lease, how many keys are of
seats, whether to count, and how many each key may have.
"""
RENEW = (
    _BEGINNING
    + """
local until_ = now + ARGV[2] * 1000000
for i = 1, #KEYS do
  redis.call('ZADD', KEYS[i], until_, ARGV[1])
  lasting(KEYS[i])
end
"""
)
"""Gives the seats of a holder, ARGV[1], to it for further seconds, ARGV[2]."""
PUT = (
    _BEGINNING
    + """
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
for i = 2, #KEYS do
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now)
  redis.call('ZADD', KEYS[i], now + ARGV[2] * 1000, KEYS[1])
  lasting(KEYS[i])
  local keys, sizes, sum = redis.call('ZRANGE', KEYS[i], 0, -1), {}, 0
  for n, key in ipairs(keys) do
    sizes[n] = redis.call('STRLEN', key)
    sum = sum + sizes[n]
  end
  for n, key in ipairs(keys) do
    if key ~= KEYS[1] and (sizes[n] == 0 or sum > tonumber(ARGV[i + 1])) then
      redis.call('DEL', key)
      redis.call('ZREM', KEYS[i], key)
      sum = sum - sizes[n]
    end
  end
end
"""
)
"""Keeps a value, KEYS[1], within its groups, the further KEYS: the oldest of each go.

ARGV: the value, its milliseconds, and the bytes that each group may have.
"""
REPLACE = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
"""
"""Puts a value, ARGV[2], in the place of another, ARGV[1]; says whether that was there."""
UNLOCK = """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
"""
"""Frees a lock that still has this holder, ARGV[1]."""
