import type { Redis } from 'ioredis';

/** Result of {@link checkRedis}. */
export interface RedisFindings {
  /** Why the server cannot be used. */
  fatal?: string;
  /** Settings that weaken durability. */
  warning?: string;
}

/**
 * Checks the server's settings. Uses `INFO` because managed servers forbid `CONFIG`. Rejects servers that evict,
 * because they drop open tasks and locks when memory is short.
 */
export async function checkRedis(redis: Redis): Promise<RedisFindings> {
  const info = await redis.info();
  const field = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1];
  const policy = field('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    return { fatal: `Redis has maxmemory-policy \`${policy}\`, which can evict open tasks. Set it to \`noeviction\`.` };
  }
  if (field('aof_enabled') === '0') {
    return { warning: 'Redis has no append-only file, so a restart of Redis loses tasks. Set `appendonly yes`.' };
  }
  return {};
}
