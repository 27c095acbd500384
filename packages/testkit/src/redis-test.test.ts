import { describe, expect, it } from 'vitest';
import { openRedis, testRedis } from './redis-test.ts';

describe('testRedis', () => {
  it('gives a Redis that answers', async () => {
    const redis = openRedis(testRedis().redisUrl);
    try {
      expect(await redis.ping()).toBe('PONG');
    } finally {
      redis.disconnect();
    }
  });

  it('gives each caller a prefix of its own', () => {
    expect(testRedis().prefix).not.toBe(testRedis().prefix);
  });
});
