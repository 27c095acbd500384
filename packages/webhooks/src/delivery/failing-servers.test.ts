import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownerDeliveries } from '../../test/owner-deliveries.ts';
import { type Receiver, type WebhookRig, webhookRig } from '../../test/webhook-rig.ts';

let rig: WebhookRig;
let receiver: Receiver;
beforeEach(async () => {
  rig = await webhookRig();
  receiver = await rig.receiver();
});
afterEach(() => rig.close());
const { register, deliveries, finished, attempted } = ownerDeliveries(() => ({ rig, receiver }));

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
