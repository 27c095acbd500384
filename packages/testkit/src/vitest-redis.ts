import { startPrivateRedis } from './redis/private-redis.ts';

/**
 * Vitest's global setup: starts a private Redis for the test run and sets `SLUICE_TEST_REDIS`. `SLUICE_TEST_REDIS_URL`
 * selects an existing server instead. Returns the teardown function.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const configuredUrl = process.env.SLUICE_TEST_REDIS_URL;
  if (configuredUrl) {
    process.env.SLUICE_TEST_REDIS = configuredUrl;
    return () => Promise.resolve();
  }
  const redis = await startPrivateRedis();
  process.env.SLUICE_TEST_REDIS = redis.url;
  return () => redis.stop();
}
