import type { Redis } from 'ioredis';

export interface RedisFindings {
  /** Why the server cannot be used. Absent if it can be used. */
  fatal?: string;
  warning?: string;
}

/** Older servers lack commands that the scripts use. Without this check, only the first task would fail. */
function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return version !== '' && (major < 6 || (major === 6 && minor < 2));
}

/**
 * Checks the server's settings with `INFO`, because managed servers forbid `CONFIG`. A server that evicts keys could
 * delete open tasks and locks.
 */
export async function checkRedis(redis: Redis): Promise<RedisFindings> {
  const info = await redis.info();
  const field = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1];
  const version = field('redis_version') ?? '';
  if (isOlder(version)) return { fatal: `Redis is version ${version}. Sluice needs 6.2 or newer.` };
  const policy = field('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    return { fatal: `Redis has maxmemory-policy \`${policy}\`, which can evict open tasks. Set it to \`noeviction\`.` };
  }
  if (field('aof_enabled') === '0') {
    return { warning: 'Redis has no append-only file, so a restart of Redis loses tasks. Set `appendonly yes`.' };
  }
  return {};
}
