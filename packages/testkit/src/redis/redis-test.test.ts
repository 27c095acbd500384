import { describe, expect, it } from 'vitest';
import { openRedis, testRedis } from './redis-test.ts';

describe('testRedis', () => {
  it('provides a Redis that responds', async () => {
    const redis = openRedis(testRedis().redisUrl);
    try {
      expect(await redis.ping()).toBe('PONG');
    } finally {
      redis.disconnect();
    }
  });

  it('returns a different prefix to each caller', () => {
    expect(testRedis().prefix).not.toBe(testRedis().prefix);
  });
});
