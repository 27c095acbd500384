import { type AddressInfo, createServer } from 'node:net';
import { createLogger } from '@sluice/telemetry';
import { testRedis } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { firstConnection, openTextRedis } from './open-redis.ts';

const logger = createLogger({ level: 'silent', name: 'test' });
let redis: ReturnType<typeof openTextRedis>;

afterEach(() => redis.disconnect());

describe('openTextRedis', () => {
  it('serves as soon as Redis is reachable', async () => {
    redis = openTextRedis({ settings: { url: testRedis().redisUrl }, commandTimeoutMs: 2_000, logger });
    await expect.poll(() => redis.status).toBe('ready');
    expect(await redis.ping()).toBe('PONG');
  });

  it('neither waits nor crashes while Redis is unreachable: commands fail at once', async () => {
    redis = openTextRedis({ settings: { url: 'redis://127.0.0.1:1' }, commandTimeoutMs: 60_000, logger });
    await expect(redis.get('a')).rejects.toThrow(/isn't writeable/);
  });
});

describe('firstConnection', () => {
  it('resolves when Redis is connected', async () => {
    redis = openTextRedis({ settings: { url: testRedis().redisUrl }, commandTimeoutMs: 2_000, logger });
    await firstConnection(redis, 60_000);
    expect(redis.status).toBe('ready');
    await firstConnection(redis, 60_000);
    expect(redis.listenerCount('close')).toBe(1);
  });

  it('does not wait for an unreachable Redis', async () => {
    redis = openTextRedis({ settings: { url: 'redis://127.0.0.1:1' }, commandTimeoutMs: 60_000, logger });
    await firstConnection(redis, 60_000);
    expect(redis.status).not.toBe('ready');
  });

  it('does not wait longer than its timeout for a silent server', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo; // The cast is safe because the server listens on TCP.
    redis = openTextRedis({ settings: { url: `redis://127.0.0.1:${port}` }, commandTimeoutMs: 60_000, logger });
    await firstConnection(redis, 50);
    expect(redis.status).not.toBe('ready');
    redis.disconnect();
    silent.close();
  });
});
