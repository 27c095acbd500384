import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveRedisServer, startRedis } from '@sluice/embedded-redis';

/**
 * Vitest's global setup: one private Redis for the run, in `SLUICE_TEST_REDIS`. `SLUICE_TEST_REDIS_URL` selects an
 * existing server instead. Returns the teardown.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const configuredUrl = process.env.SLUICE_TEST_REDIS_URL;
  if (configuredUrl) {
    process.env.SLUICE_TEST_REDIS = configuredUrl;
    return () => Promise.resolve();
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-test-'));
  const server = await resolveRedisServer({
    env: process.env,
    spareCacheDir: join(dataDir, 'cache'),
    onProgress: (line) => process.stdout.write(`  Redis: ${line}\n`),
  });
  const redis = await startRedis({ server, dataDir, appendOnly: false, env: process.env });
  process.env.SLUICE_TEST_REDIS = redis.url;
  return async () => {
    await redis.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
