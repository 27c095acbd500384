import { describe, expect, it } from 'vitest';
import { withoutRedis } from './without-redis.ts';

describe('withoutRedis', () => {
  it("removes the redis packages from a copy of dpkg's status, and nothing else", () => {
    const status = 'Package: libc6\nStatus: ok\n\nPackage: redis-tools\nStatus: ok\n\nPackage: redis-sentinel-doc\n';
    expect(withoutRedis(status)).toBe('Package: libc6\nStatus: ok\n\nPackage: redis-sentinel-doc\n');
  });
});
