import { once } from 'node:events';
import { type RedisProxy, startRedisProxy, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRedisConnection, waitForRedis } from './open-redis-connection.ts';

const PATIENT = { timeout: 30_000 };
const AWAY = 'redis unavailable; reconnecting';
let proxy: RedisProxy;
let redis: Redis;
let logged: string[];

beforeEach(async () => {
  proxy = await startRedisProxy(testRedis().redisUrl);
  logged = [];
  const note = (_fields: unknown, what?: string): void => void logged.push(what ?? String(_fields));
  const logger = { info: note, warn: note, debug: () => undefined };
  redis = openRedisConnection({ redis: { url: proxy.url }, role: 'worker', logger });
  await waitForRedis(redis, PATIENT.timeout);
});
afterEach(async () => {
  redis.disconnect();
  await proxy.close();
});

it('logs no outage for a connection that Sluice closes', async () => {
  redis.disconnect();
  await once(redis, 'end');
  expect(logged).toEqual([]);
});

it('logs one outage and one recovery for an interrupted connection', async () => {
  proxy.set({ kind: 'reset' });
  redis.ping().catch(() => undefined);
  await expect.poll(() => logged, PATIENT).toEqual([AWAY]);
  proxy.set({ kind: 'none' });
  await expect.poll(() => logged, PATIENT).toEqual([AWAY, 'redis available again']);
});

it('logs an interruption shortly before Sluice closes the connection', async () => {
  proxy.set({ kind: 'reset' });
  redis.ping().catch(() => undefined);
  await new Promise((resolve) => redis.once('reconnecting', resolve));
  redis.disconnect();
  expect(logged).toEqual([AWAY]);
});
