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

/** Returns the `INFO` reply of the tests' shared Redis, which must not evict keys, with one changed setting. */
function withSetting(line: string, changed: string): Redis {
  // The cast is safe because the code calls only `info`.
  return { info: async () => (await redis.info()).replace(line, changed) } as unknown as Redis;
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

  it.each(['5.0.14', '6.0.16'])('rejects version %s, which lacks commands', async (version) => {
    const info = (await redis.info()).replace(/^redis_version:.*$/m, `redis_version:${version}`);
    const old = { info: async () => info } as unknown as Redis; // The cast is safe because the code calls only `info`.
    expect((await checkRedis(old)).fatal).toBe(`Redis is version ${version}. Sluice needs 6.2 or newer.`);
  });

  it('rejects a server that evicts', async () => {
    const findings = await checkRedis(withSetting('maxmemory_policy:noeviction', 'maxmemory_policy:allkeys-lru'));
    expect(findings.fatal).toContain('allkeys-lru');
  });
});
