import type { Redis } from 'ioredis';

export interface RedisFindings {
  /** Why the server cannot be used. */
  fatal?: string;
  warning?: string;
}

/** Uses `INFO`, because managed servers forbid `CONFIG`. An evicting server would drop open tasks and locks. */
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
