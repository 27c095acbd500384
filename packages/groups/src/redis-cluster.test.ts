import { openRedisConnection } from '@sluice/redis';
import { createLogger } from '@sluice/telemetry';
import { startRedisCluster } from '@sluice/testkit';
import { expect, it } from 'vitest';
import { groupRig } from '../test/group-rig.ts';

const TAG = 'sluice-groups';

it('runs groups in a Redis Cluster, with all keys in one slot', { timeout: 60_000 }, async () => {
  const cluster = await startRedisCluster();
  const redis = { cluster: { addresses: cluster.addresses, tag: TAG } };
  const logger = createLogger({ level: 'silent', name: 'test' });
  const rig = groupRig({ redis: openRedisConnection({ redis, role: 'worker', logger }), prefix: TAG });
  try {
    const group = await rig.create(5, { idempotencyKey: 'k' });
    rig.startWorker();
    await rig.until(group, { counts: { queued: 5 } });
    rig.endTasks('completed', { costNanos: 1 });
    expect(await rig.until(group, { status: 'completed' })).toMatchObject({ costNanos: 5 });
  } finally {
    await rig.close();
    await cluster.stop();
  }
});
