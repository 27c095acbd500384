import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveRedisServer, startRedis } from '@sluice/embedded-redis';

export interface PrivateRedis {
  url: string;
  stop(): Promise<void>;
}

/** Starts a separate Redis server, for tests that modify the server itself. */
export async function startPrivateRedis(): Promise<PrivateRedis> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-test-'));
  const server = await resolveRedisServer({
    env: process.env,
    spareCacheDir: join(dataDir, 'cache'),
    onProgress: (line) => process.stdout.write(`  Redis: ${line}\n`),
  });
  const redis = await startRedis({ server, dataDir, appendOnly: false, env: process.env });
  return {
    url: redis.url,
    async stop() {
      await redis.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
