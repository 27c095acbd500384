import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RedisAddress, type RunningRedis, resolveRedisServer, startRedis } from '@sluice/embedded-redis';

/**
 * Starts a Redis that belongs to one test alone, so that it may be killed; what it acknowledges is on disk.
 * @param address where the one before it listened, so that clients find it again
 */
export async function startOwnRedis(dataDir: string, address?: RedisAddress): Promise<RunningRedis> {
  const spareCacheDir = path.join(tmpdir(), `sluice-redis-${process.getuid?.() ?? 0}`);
  const server = await resolveRedisServer({ env: process.env, spareCacheDir });
  return startRedis({ server, dataDir, appendSync: 'always', ...(address && { address }), env: process.env });
}

/** Kills a Redis as the kernel would, and waits until it is gone. */
export async function killRedis(redis: RunningRedis): Promise<void> {
  process.kill(redis.pid, 'SIGKILL');
  await redis.exited;
}
