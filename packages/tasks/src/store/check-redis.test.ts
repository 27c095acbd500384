import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkRedis } from './check-redis.ts';

let redis: Redis;
beforeEach(() => {
  redis = openRedis(testRedis().redisUrl);
});
afterEach(async () => {
  await redis.quit();
});

/** The server's own reply with one setting changed: the run's Redis is shared and must not evict. */
function withSetting(line: string, changed: string): Redis {
  return { info: async () => (await redis.info()).replace(line, changed) } as unknown as Redis; // only `info` is called
}

describe('checkRedis', () => {
  it('warns about a server without an append-only file', async () => {
    const findings = await checkRedis(withSetting('aof_enabled:1', 'aof_enabled:0'));
    expect(findings.fatal).toBeUndefined();
    expect(findings.warning).toContain('append-only');
  });

  it('accepts an append-only server that never evicts', async () => {
    expect(await checkRedis(withSetting('aof_enabled:0', 'aof_enabled:1'))).toEqual({});
  });

  it('rejects a server that evicts', async () => {
    const findings = await checkRedis(withSetting('maxmemory_policy:noeviction', 'maxmemory_policy:allkeys-lru'));
    expect(findings.fatal).toContain('allkeys-lru');
  });
});
