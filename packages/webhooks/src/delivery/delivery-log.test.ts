import { expect, it } from 'vitest';
import { webhookRig } from '../../test/webhook-rig.ts';

const EVENTS = ['video.completed', 'video.failed', 'image.completed', 'image.failed'] as const;

it('retains deliveries as long as tasks and does not attempt them afterwards', async () => {
  const brief = await webhookRig({ retentionMs: 700 });
  const server = await brief.receiver();
  server.response = (response) => void response.writeHead(500).end();
  const params = { url: server.origin, name: '', events: [...EVENTS], enabled: true };
  const { id } = await brief.webhooks.create('alice', params);
  await brief.endTask();
  brief.startWorker();
  await expect.poll(async () => (await brief.webhooks.stats()).attempts).toEqual({ '5xx': 1 });
  for (const listing of [{ limit: 9 }, { limit: 9, webhookId: id }]) {
    await expect.poll(() => brief.webhooks.deliveries('alice', listing)).toEqual({ deliveries: [], hasMore: false });
  }
  brief.clock.now += 6_000;
  await expect.poll(() => brief.webhooks.stats()).toMatchObject({ pending: 0, attempts: { '5xx': 1 } });
  const remainingKeys = await brief.keys();
  expect(remainingKeys.filter((key) => !/^(of|webhook|seal|stats)/.test(key) || key.startsWith('webhook_log'))).toEqual(
    [],
  );
  await brief.close();
});

it('finds the deliveries of a task to webhooks and to its callback', async () => {
  const rig = await webhookRig();
  const server = await rig.receiver();
  const params = { url: `${server.origin}/hook`, name: '', events: [...EVENTS], enabled: true };
  const { id: webhookId } = await rig.webhooks.create('alice', params);
  const task = await rig.endTask({ callback: `${server.origin}/callback` });
  const other = await rig.endTask();
  rig.startWorker();
  const shown = async () => {
    const deliveries = await rig.webhooks.deliveriesOf('alice', task);
    return deliveries.map((one) => [one.taskId, one.webhookId, one.status]);
  };
  await expect.poll(shown).toEqual([
    [task, undefined, 'delivered'],
    [task, webhookId, 'delivered'],
  ]);
  await expect.poll(async () => (await rig.webhooks.deliveriesOf('alice', other)).length).toBe(1);
  expect(await rig.webhooks.deliveriesOf('bob', task)).toEqual([]);
  await rig.close();
});
