import type { Redis } from 'ioredis';

/** What a Redis server must be so that no acknowledged task is lost. */
export interface RedisFindings {
  /** Why it cannot be used; absent: it can. */
  fatal?: string;
  /** What weakens a promise; worth a line in the log. */
  warning?: string;
}

/**
 * Looks at the server's settings. `INFO` is used because managed servers forbid `CONFIG`.
 * Evicting servers are refused: they drop open tasks and locks when memory is short.
 */
export async function checkRedis(redis: Redis): Promise<RedisFindings> {
  const info = await redis.info();
  const field = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1];
  const policy = field('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    return { fatal: `Redis has maxmemory-policy ${policy}: open tasks could be evicted. Set it to noeviction.` };
  }
  if (field('aof_enabled') === '0') {
    return { warning: 'Redis has no append-only file: a restart of Redis loses tasks. Set appendonly yes.' };
  }
  return {};
}
