import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RedisAddress, type RunningRedis, resolveRedisServer, startRedis } from '@sluice/embedded-redis';

/**
 * Starts a Redis that one test uses alone and may kill. It persists every acknowledged write.
 * @param address the previous Redis's address, so that clients can reconnect
 */
export async function startOwnRedis(dataDir: string, address?: RedisAddress): Promise<RunningRedis> {
  const spareCacheDir = path.join(tmpdir(), `sluice-redis-${process.getuid?.() ?? 0}`);
  const server = await resolveRedisServer({ env: process.env, spareCacheDir });
  return startRedis({ server, dataDir, ...(address && { address }), env: process.env });
}

export async function killRedis(redis: RunningRedis): Promise<void> {
  process.kill(redis.pid, 'SIGKILL');
  await redis.exited;
}
