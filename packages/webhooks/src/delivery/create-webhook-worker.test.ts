import { GatewayError } from '@sluice/canonical';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, type WebhookRig, webhookRig } from '../../test/webhook-rig.ts';
import { sampleTask } from './sample-task.ts';

let rig: WebhookRig;
let receiver: Receiver;
beforeEach(async () => {
  rig = await webhookRig();
  receiver = await rig.receiver();
});
afterEach(() => rig.close());

const EVENTS = ['video.completed', 'video.failed', 'image.completed', 'image.failed'] as const;

function register(url = `${receiver.origin}/hook`, owner = 'alice', events: (typeof EVENTS)[number][] = [...EVENTS]) {
  return rig.webhooks.create(owner, { url, name: 'mine', events, enabled: true });
}

async function deliveries(owner = 'alice') {
  return (await rig.webhooks.deliveries(owner, { limit: 100 })).deliveries;
}

async function finished(count: number, owner = 'alice') {
  await expect
    .poll(async () => (await deliveries(owner)).filter(({ status }) => status !== 'pending').length)
    .toBe(count);
  return deliveries(owner);
}

async function attempted(count: number) {
  await expect.poll(async () => (await deliveries())[0]?.attempts.length).toBe(count);
  const [delivery] = await deliveries();
  if (!delivery) throw new Error('expected a delivery');
  return delivery;
}

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

describe('a failing server', () => {
  it.each([[500], [404], [302], [429]])(
    'that returns %i is retried as configured, then the delivery fails',
    async (status) => {
      receiver.response = (response) =>
        void response.writeHead(status, { location: `${receiver.origin}/elsewhere` }).end();
      await register();
      await rig.endTask();
      rig.startWorker();
      let at = rig.clock.now;
      for (const [index, wait] of rig.settings.retryMs.entries()) {
        const { dueAt, status: state } = await attempted(index + 1);
        await expect.poll(async () => (await deliveries())[0]?.dueAt).toBe(at + wait);
        expect([state, dueAt]).toEqual(['pending', at + wait]);
        at += wait;
        rig.clock.now = at - 1;
        await new Promise((resolve) => setTimeout(resolve, 50));
        expect((await deliveries())[0]?.attempts.length).toBe(index + 1);
        rig.clock.now = at;
      }
      const [delivery] = await finished(1);
      expect(delivery).toMatchObject({ status: 'failed', attempts: [1, 2, 3, 4].map(() => ({ status })) });
      expect(new Set(receiver.received.map(({ headers, body }) => headers['webhook-id'] + body)).size).toBe(1);
      expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/hook']));
    },
  );

  it('receives no retry before the time that it requested', async () => {
    receiver.response = (response) => void response.writeHead(503, { 'retry-after': '60' }).end();
    await register();
    await rig.endTask();
    rig.startWorker();
    const at = rig.clock.now;
    expect(await attempted(1)).toMatchObject({ status: 'pending', dueAt: at + 60_000 });
  });

  it('that returns 410 receives no more deliveries, and its webhook is disabled', async () => {
    receiver.response = (response) => void response.writeHead(410).end();
    const { id } = await register();
    await rig.endTask();
    rig.startWorker();
    expect(await finished(1)).toMatchObject([{ status: 'failed', attempts: [{ status: 410 }] }]);
    expect(await rig.webhooks.find('alice', id)).toMatchObject({ disabled: 'gone' });
    await rig.endTask();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(receiver.received.length).toBe(1);
  });

  it('that returns 410 does not disable a webhook whose URL changed, and the delivery moves there', async () => {
    const { id } = await register();
    const moved = { url: `${receiver.origin}/moved` };
    receiver.response = (response, { path }) =>
      path === '/moved'
        ? void response.writeHead(200).end()
        : void rig.webhooks.update('alice', id, moved).then(() => response.writeHead(410).end());
    await rig.endTask();
    rig.startWorker();
    await attempted(1);
    rig.clock.now += 6_000;
    expect(await finished(1)).toMatchObject([{ status: 'delivered', attempts: [{ status: 410 }, { status: 200 }] }]);
    const webhook = await rig.webhooks.find('alice', id);
    expect(webhook).toMatchObject(moved);
    expect(webhook).not.toHaveProperty('disabled');
  });

  it('receives a redelivery on request under the same event id', async () => {
    receiver.response = (response) => void response.writeHead(receiver.received.length <= 4 ? 500 : 200).end();
    await register();
    await rig.endTask();
    rig.startWorker();
    for (const [index, wait] of rig.settings.retryMs.entries()) {
      await attempted(index + 1);
      rig.clock.now += wait;
    }
    const [{ id } = { id: '' }] = await finished(1);
    expect(await rig.webhooks.redeliver('alice', id)).toMatchObject({ status: 'pending' });
    await expect(rig.webhooks.redeliver('bob', id)).rejects.toMatchObject({ code: 'webhook_not_found' });
    await expect.poll(async () => (await rig.webhooks.delivery('alice', id)).status).toBe('delivered');
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.received.length).toBe(5);
    await rig.webhooks.redeliver('alice', id);
    await expect.poll(() => receiver.received.length).toBe(6);
  });

  it('stores the response of each attempt, which lists and logs do not contain', async () => {
    receiver.response = (response) => {
      const [status, text] = receiver.received.length === 1 ? [500, 'the database is full'] : [200, 'thanks'];
      response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
    };
    await register();
    await rig.endTask();
    rig.startWorker();
    const { id, attempts } = await attempted(1);
    expect(attempts[0]).not.toHaveProperty('response');
    rig.clock.now += 6_000;
    await finished(1);
    const expected = [
      { status: 500, response: { headers: { 'content-type': 'text/plain' }, body: 'the database is full' } },
      { status: 200, response: { headers: { 'content-type': 'text/plain' }, body: 'thanks' } },
    ];
    expect(await rig.webhooks.delivery('alice', id)).toMatchObject({ attempts: expected });
    expect(await rig.webhooks.browser.delivery(id)).toMatchObject({ attempts: expected });
    expect(JSON.stringify(await deliveries())).not.toContain('thanks');
    expect(rig.logs()).not.toContain('the database is full');
    const prefix = `{${rig.prefix}}:webhooks:`;
    expect(await rig.redis.pttl(`${prefix}responses:${id}`)).toBeGreaterThan(0);
    expect(await rig.redis.pttl(`${prefix}responses:${id}`)).toBeLessThanOrEqual(rig.settings.retentionMs);
  });

  it('at a private address is never connected to', async () => {
    await register('https://127.0.0.1:9/');
    await rig.endTask();
    rig.startWorker();
    expect(await attempted(1)).toMatchObject({ attempts: [{ error: 'forbidden_address' }] });
  });
});

describe('a slow server', () => {
  it('delays no other server and receives few concurrent attempts', async () => {
    const slow = await rig.receiver();
    let open = 0;
    let max = 0;
    const waiting: (() => void)[] = [];
    slow.response = (response) => {
      max = Math.max(max, (open += 1));
      waiting.push(() => {
        open -= 1;
        response.writeHead(200).end();
      });
    };
    await register(`${slow.origin}/slow`, 'bob');
    await register();
    rig.startWorker();
    rig.startWorker();
    for (let i = 0; i < 30; i++) await rig.endTask({ owner: 'bob' });
    await expect.poll(() => slow.received.length).toBe(rig.settings.perHost);
    await rig.endTask();
    await finished(1);
    expect(slow.received.length).toBe(rig.settings.perHost);
    slow.response = (response) => void response.writeHead(200).end();
    for (const go of waiting) go();
    await finished(30, 'bob');
    expect(max).toBe(rig.settings.perHost);
    expect(slow.received.length).toBe(30);
  });
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
