import { GatewayError } from '@sluice/canonical';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownerDeliveries } from '../../test/owner-deliveries.ts';
import { type Receiver, type WebhookRig, webhookRig } from '../../test/webhook-rig.ts';
import { sampleTask } from './sample-task.ts';

let rig: WebhookRig;
let receiver: Receiver;
beforeEach(async () => {
  rig = await webhookRig();
  receiver = await rig.receiver();
});
afterEach(() => rig.close());
const { register, deliveries, finished, attempted } = ownerDeliveries(() => ({ rig, receiver }));

describe('the end of a task', () => {
  it("is delivered once to each of the owner's webhooks and to the callback under one event id, each signed", async () => {
    const [one, two] = [await register(), await register(`${receiver.origin}/other`)];
    rig.startWorker();
    rig.startWorker();
    const task = await rig.endTask({ callback: `${receiver.origin}/call` });
    await finished(3);
    expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/call', '/hook', '/other']);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([`evt_${task.slice(6)}`]),
    );
    const { secret } = await rig.webhooks.keySecret('alice');
    const secrets: Record<string, string> = { '/hook': one.secret, '/other': two.secret, '/call': secret };
    for (const { path, body, headers } of receiver.received) {
      expect(new Webhook(secrets[path] ?? '').verify(body, headers)).toMatchObject({ data: { id: task } });
    }
    expect(await rig.webhooks.stats()).toEqual({ pending: 0, delivered: 3, failed: 0, attempts: { '2xx': 3 } });
  });

  it("is delivered only to its owner's webhooks that subscribe to it", async () => {
    await register(undefined, 'bob');
    await register(undefined, 'alice', ['image.failed']);
    rig.startWorker();
    await rig.endTask();
    await rig.endTask({ status: 'failed' });
    await rig.endTask({ kind: 'image' });
    const canceled = await rig.endTask({ kind: 'image', status: 'canceled' });
    await finished(1);
    expect(receiver.received.map(({ event }) => [event.type, event.data.id])).toEqual([['image.failed', canceled]]);
    expect(await deliveries('bob')).toEqual([]);
  });

  it('is not delivered to a disabled webhook, nor after the task or the webhook was deleted', async () => {
    const off = await register();
    await rig.webhooks.update('alice', off.id, { enabled: false });
    const later = await register(`${receiver.origin}/later`);
    const gone = await register(`${receiver.origin}/gone`);
    const task = await rig.endTask();
    rig.deleted.add(await rig.endTask());
    // The first response is a 500, so that the attempt is recorded but the event is not delivered.
    receiver.response = (response) => void response.writeHead(500).end();
    rig.startWorker();
    await expect.poll(async () => (await deliveries()).map(({ attempts }) => attempts.length)).toEqual([1, 1, 1, 1]);
    await rig.webhooks.update('alice', later.id, { enabled: false });
    await rig.webhooks.remove('alice', gone.id);
    rig.clock.now += 6_000;
    const all = await finished(4);
    expect(receiver.received.map(({ event }) => event.data.id)).toEqual([task, task]);
    expect(new Set(all.map(({ attempts }) => attempts.at(-1)?.error))).toEqual(
      new Set(['webhook_disabled', 'webhook_deleted', 'task_deleted']),
    );
    // The delivery was no longer pending, so it is not counted as failed.
    expect(await rig.webhooks.stats()).toMatchObject({ pending: 0, delivered: 0, failed: 0 });
  });
});

const DIGITS = '0123456789abcdef'.repeat(2);

describe('the end of an object that is no task', () => {
  it.each([
    ['response.completed', 'response.failed', `resp_${DIGITS}`, `evt_${DIGITS.slice(-26)}`],
    ['batch.completed', 'batch.failed', `batch_${DIGITS.slice(-25)}`, `evt_${DIGITS.slice(-25)}`],
  ] as const)(
    'is delivered with its id to the webhooks that subscribe to %s',
    async (completed, failed, id, eventId) => {
      const url = `${receiver.origin}/hook`;
      await rig.webhooks.create('alice', { url, name: '', events: [completed], enabled: true });
      await register();
      for (const event of [failed, completed]) {
        const entry = { event, task: id, owner: 'alice', at: rig.clock.now };
        await rig.redis.rpush(`{${rig.prefix}}:webhooks:outbox`, JSON.stringify(entry));
      }
      rig.deleted.add(id);
      rig.startWorker();
      await finished(1);
      expect(receiver.received.map(({ event }) => event)).toEqual([{ id: eventId, type: completed, data: { id } }]);
    },
  );
});

it('counts an unexpected failure as an attempt and fails the delivery after the last', async () => {
  await register();
  await rig.endTask();
  rig.startWorker({ loadTask: () => Promise.reject(new Error('a record that cannot be read')) });
  for (const [index, wait] of rig.settings.retryMs.entries()) {
    await attempted(index + 1);
    rig.clock.now += wait;
  }
  const error = 'internal_error';
  expect(await finished(1)).toMatchObject([{ status: 'failed', attempts: [1, 2, 3, 4].map(() => ({ error })) }]);
  expect(rig.logs()).toContain('webhook attempt failed unexpectedly');
});

it('does not count attempts for which the task cannot be read because its Redis is unavailable', async () => {
  await register();
  await rig.endTask();
  let reads = 0;
  rig.startWorker({
    async loadTask(id) {
      reads += 1;
      if (reads <= rig.settings.retryMs.length + 1) throw new GatewayError('store_unavailable', 'away');
      return { ...sampleTask('video.completed', 1), id };
    },
  });
  async function statusLater() {
    rig.clock.now += 1_000;
    return (await deliveries())[0]?.status;
  }
  await expect.poll(statusLater).toBe('delivered');
  expect(await deliveries()).toMatchObject([{ attempts: [{ status: 200 }] }]);
});

it('logs no URL and no secret', async () => {
  receiver.response = (response) => void response.writeHead(500).end();
  const { secret } = await register(`${receiver.origin}/path-of-mine?token=query-of-mine`);
  await rig.endTask();
  rig.startWorker();
  await attempted(1);
  await expect.poll(() => rig.logs()).toContain('retrying');
  expect(rig.logs()).not.toMatch(/path-of-mine|query-of-mine/);
  expect(rig.logs()).not.toContain(secret.slice('whsec_'.length));
});
