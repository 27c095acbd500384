import { openRedisConnection } from '@sluice/redis';
import { createLogger } from '@sluice/telemetry';
import { type RedisCluster, startRedisCluster } from '@sluice/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BatchRig, batchRig } from '../test/batch-rig.ts';

const TAG = 'sluice-batches';
const LINES = 300;
let cluster: RedisCluster;
let rig: BatchRig;
beforeEach(async () => {
  cluster = await startRedisCluster();
  const redis = { cluster: { addresses: cluster.addresses, tag: TAG } };
  const logger = createLogger({ level: 'silent', name: 'test' });
  rig = await batchRig({ redis: openRedisConnection({ redis, role: 'worker', logger }), prefix: TAG });
});
afterEach(async () => {
  await rig.close();
  await cluster.stop();
});

it('runs batches in a Redis Cluster, with all keys in one slot, which can move', async () => {
  const batch = await rig.create(LINES);
  const owner = await cluster.ownerOf(TAG);
  await cluster.moveSlot(TAG, cluster.primaries.find(({ port }) => port !== owner.port) ?? owner);
  rig.startWorker();
  const ended = await rig.ended(batch);
  expect([ended.status, ended.counts.completed]).toEqual(['completed', LINES]);
  expect([...rig.calls.values()]).toEqual(Array.from({ length: LINES }, () => 1));
});
