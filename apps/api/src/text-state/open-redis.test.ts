import { createLogger } from '@sluice/telemetry';
import { testRedis } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { openTextRedis } from './open-redis.ts';

const logger = createLogger({ level: 'silent', name: 'test' });
let redis: ReturnType<typeof openTextRedis>;

afterEach(() => redis.disconnect());

describe('openTextRedis', () => {
  it('serves as soon as Redis is there', async () => {
    redis = openTextRedis({ url: testRedis().redisUrl, commandTimeoutMs: 2_000, logger });
    await expect.poll(() => redis.status).toBe('ready');
    expect(await redis.ping()).toBe('PONG');
  });

  it('neither waits nor crashes while Redis is away: commands fail at once', async () => {
    redis = openTextRedis({ url: 'redis://127.0.0.1:1', commandTimeoutMs: 60_000, logger });
    await expect(redis.get('a')).rejects.toThrow(/isn't writeable/);
  });
});
