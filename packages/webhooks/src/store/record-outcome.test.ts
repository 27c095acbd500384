import { expect, it } from 'vitest';
import { webhookRig } from '../../test/webhook-rig.ts';

it('counts an outcome once if it is sent twice after a lost reply', async () => {
  const rig = await webhookRig();
  const { origin } = await rig.receiver();
  await rig.webhooks.create('alice', { url: origin, name: '', events: ['video.completed'], enabled: true });
  await rig.endTask();
  rig.startWorker();
  await expect.poll(async () => (await rig.webhooks.stats()).delivered).toBe(1);
  const before = await rig.webhooks.deliveries('alice', { limit: 9 });
  const id = before.deliveries[0]?.id ?? '';
  const attempt = JSON.stringify({ at: 1, durationMs: 1, status: 500 });
  const prefix = `{${rig.prefix}}:webhooks:`;
  const again = [prefix, rig.clock.now, 2, 8, id, 1, 'failed', attempt, 0, '5xx'] as const;
  expect(await rig.redis.webhooksRecordOutcome(`${prefix}delivery:${id}`, ...again)).toBe(0);
  expect(await rig.webhooks.deliveries('alice', { limit: 9 })).toEqual(before);
  expect(await rig.webhooks.stats()).toMatchObject({ delivered: 1, failed: 0, pending: 0 });
  await rig.close();
});
