import type { Redis } from 'ioredis';

/**
 * A lock in Redis. It saves double work, and nothing depends on it, so its steps need not be atomic. It is free again
 * `ttlMs` after its last renewal.
 */
export function drainLock(redis: Redis, key: string, owner: string, ttlMs: number) {
  const isOwn = async () => (await redis.get(key)) === owner;
  return {
    /** Takes or renews the lock. Returns whether this owner has it. */
    async hold(): Promise<boolean> {
      if ((await redis.set(key, owner, 'PX', ttlMs, 'NX')) === 'OK') return true;
      return (await isOwn()) && (await redis.pexpire(key, ttlMs)) === 1;
    },
    async release(): Promise<void> {
      if (await isOwn()) await redis.del(key);
    },
  };
}
