import { once } from 'node:events';
import { createServer, connect, type Server } from 'node:net';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger } from '@sluice/telemetry';
import { openRedis, startRedisProxy, testRedis } from '@sluice/testkit';
import { openRedisConnection } from '@sluice/redis';
import type { Redis } from 'ioredis';
import { afterEach, expect, it } from 'vitest';
import { prepareRedis } from './prepare-redis.ts';

const logger = createLogger({ level: 'silent', name: 'test' });
const caps = { vendor: { maxSubmitting: 3 } };
let connection: Redis | undefined;
let door: Server | undefined;
afterEach(() => {
  connection?.disconnect();
  door?.close();
});

function counting() {
  const saved: unknown[] = [];
  return { saved, store: { saveCaps: async (value: unknown) => void saved.push(value) } };
}

it("stores the accounts' caps on an available server", async () => {
  connection = openRedisConnection({ redis: { url: testRedis().redisUrl }, role: 'worker', logger });
  const { saved, store } = counting();
  await prepareRedis(connection, { store, caps, waitMs: 5_000, logger });
  expect(saved).toEqual([caps]);
});

it('checks a server that becomes available after the start', async () => {
  const socket = path.join(tmpdir(), `sluice-late-${process.pid}.sock`);
  connection = openRedisConnection({ redis: { url: `unix://${socket}` }, role: 'worker', logger });
  const { saved, store } = counting();
  await prepareRedis(connection, { store, caps, waitMs: 50, logger });
  expect(saved).toEqual([]);
  const { pathname } = new URL(testRedis().redisUrl);
  door = createServer((client) => void client.pipe(connect(pathname)).pipe(client)).listen(socket);
  await expect.poll(() => saved).toEqual([caps]);
  await rm(socket, { force: true });
});

it('starts even if the server fails during the check, and checks it later', async () => {
  const proxy = await startRedisProxy(testRedis().redisUrl);
  connection = openRedisConnection({ redis: { url: proxy.url }, role: 'api', logger });
  const { saved, store } = counting();
  await once(connection, 'ready');
  proxy.set({ kind: 'reset' });
  await prepareRedis(connection, { store, caps, waitMs: 5_000, logger });
  expect(saved).toEqual([]);
  proxy.set({ kind: 'none' });
  await expect.poll(() => saved).toEqual([caps]);
  connection.disconnect();
  await proxy.close();
});

it('rejects a server that evicts tasks', async () => {
  const redis = openRedis(testRedis().redisUrl);
  const info = await redis.info();
  redis.disconnect();
  const evicting = {
    status: 'ready',
    info: async () => info.replace('maxmemory_policy:noeviction', 'maxmemory_policy:allkeys-lru'),
  };
  const { saved, store } = counting();
  // The cast is safe because the code calls only these methods.
  const prepared = prepareRedis(evicting as unknown as Redis, { store, caps, waitMs: 50, logger });
  await expect(prepared).rejects.toThrow(/noeviction/);
  expect(saved).toEqual([]);
});
