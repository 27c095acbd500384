import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type Receiver, type WebhookRig, webhookRig } from '../../test/webhook-rig.ts';
import type { WebhookSettings } from '../store/webhook-settings.ts';

let rig: WebhookRig;
const open = async (settings: Partial<WebhookSettings>) => {
  // Longer than any server in the tests delays its response.
  rig = await webhookRig({ timeoutMs: 60_000, ...settings });
};
afterEach(() => rig.close());

const EVENTS = ['video.completed', 'video.failed', 'image.completed', 'image.failed'] as const;

const register = (url: string, owner: string) =>
  rig.webhooks.create(owner, { url, name: '', events: [...EVENTS], enabled: true });

/** Starts a server that responds only when the test ends its calls. It records the maximum concurrency. */
async function slowServer(): Promise<{ server: Receiver; waiting: ServerResponse[]; max: () => number }> {
  const server = await rig.receiver();
  const waiting: ServerResponse[] = [];
  let max = 0;
  server.response = (response) => {
    waiting.push(response);
    max = Math.max(max, waiting.length);
  };
  return { server, waiting, max: () => max };
}

const reply = (waiting: ServerResponse[]) => {
  for (const response of waiting.splice(0)) response.writeHead(200).end();
};
const delivered = async () => (await rig.webhooks.stats()).delivered;

/** Returns the remaining Redis keys of pending deliveries. */
const remainingKeys = async () => (await rig.keys()).filter((key) => /^(owners|hosts|due|leased|line)/.test(key));

describe('an owner with many slow servers', () => {
  it('gets a limited number of attempts and delays no other owner', async () => {
    await open({ concurrency: 6, perOwner: 2, perKey: 5 });
    const slow = await Promise.all(Array.from({ length: 5 }, () => slowServer()));
    const received = () => slow.reduce((sum, { server }) => sum + server.received.length, 0);
    for (const { server } of slow) await register(server.origin, 'bob');
    const quick = await rig.receiver();
    await register(quick.origin, 'alice');
    rig.startWorker();
    for (let i = 0; i < 4; i++) await rig.endTask({ owner: 'bob' });
    await expect.poll(received).toBe(2);
    await rig.endTask();
    await expect.poll(delivered).toBe(1);
    expect(received()).toBe(2);
    await expect
      .poll(async () => {
        for (const { waiting } of slow) {
          expect(slow.reduce((sum, one) => sum + one.waiting.length, 0)).toBeLessThanOrEqual(2);
          reply(waiting);
        }
        return delivered();
      })
      .toBe(21);
    expect(received()).toBe(20);
    await expect.poll(remainingKeys).toEqual([]);
  });

  it("receives each event once, even after a redelivery or a worker's death", async () => {
    await open({ perOwner: 1, retryMs: [] });
    const server = await rig.receiver();
    await register(server.origin, 'bob');
    for (let i = 0; i < 3; i++) await rig.endTask({ owner: 'bob' });
    const deadWorker = rig.startWorker({ post: () => new Promise(() => undefined) });
    await expect.poll(async () => (await rig.keys()).includes('leased_by:bob')).toBe(true);
    const { deliveries: all } = await rig.webhooks.deliveries('bob', { limit: 9 });
    for (const { id } of all) await rig.webhooks.redeliver('bob', id);
    await deadWorker.close(0);
    rig.startWorker();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(server.received).toEqual([]);
    rig.clock.now += rig.settings.timeoutMs + rig.settings.leaseMs;
    await expect.poll(() => rig.webhooks.stats()).toMatchObject({ delivered: 3, pending: 0 });
    expect(new Set(server.received.map(({ event }) => event.data.id)).size).toBe(3);
    expect(server.received.length).toBe(3);
  });
});

describe('several owners with slow servers', () => {
  it('never occupy all slots: a new owner is always served at once', async () => {
    await open({ concurrency: 8, perOwner: 3, perHost: 3 });
    const slow = await Promise.all(['bob', 'carol', 'dave'].map(() => slowServer()));
    for (const [index, owner] of ['bob', 'carol', 'dave'].entries()) {
      await register(slow[index]?.server.origin ?? '', owner);
    }
    const quick = await rig.receiver();
    rig.startWorker();
    // Two owners reach their maximum. The third owner gets one of the two reserved slots.
    const received = () => slow.map(({ server }) => server.received.length);
    for (const [index, owner] of ['bob', 'carol', 'dave'].entries()) {
      for (let i = 0; i < 9; i++) await rig.endTask({ owner });
      await expect.poll(() => received()[index]).toBe(index < 2 ? 3 : 1);
    }
    await register(quick.origin, 'alice');
    for (let i = 0; i < 3; i++) await rig.endTask();
    await expect.poll(delivered).toBe(3);
    expect(received()).toEqual([3, 3, 1]);
    await expect
      .poll(async () => {
        for (const { waiting } of slow) reply(waiting);
        return delivered();
      })
      .toBe(30);
    expect(slow.every(({ max }) => max() <= 3)).toBe(true);
    await expect.poll(remainingKeys).toEqual([]);
  });

  it('share a worker: the owner with the fewest attempts in flight is first, whatever the backlog of others', async () => {
    await open({ concurrency: 4, perOwner: 9, perHost: 9 });
    const { server, waiting } = await slowServer();
    for (const owner of ['bob', 'carol']) await register(`${server.origin}/${owner}`, owner);
    for (let i = 0; i < 9; i++) await rig.endTask({ owner: 'bob' });
    rig.clock.now += 1;
    for (let i = 0; i < 9; i++) await rig.endTask({ owner: 'carol' });
    rig.startWorker();
    await expect.poll(() => server.received.length).toBe(3);
    const paths = server.received.map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set(['/bob', '/carol']));
    await expect
      .poll(async () => {
        reply(waiting);
        return delivered();
      })
      .toBe(18);
  });
});

describe('owners at one host', () => {
  it('alternate, whatever the backlog of one owner', async () => {
    await open({ perHost: 2 });
    const { server, waiting, max } = await slowServer();
    await register(`${server.origin}/bob`, 'bob');
    await register(`${server.origin}/alice`, 'alice');
    for (let i = 0; i < 20; i++) await rig.endTask({ owner: 'bob' });
    rig.startWorker();
    rig.startWorker();
    await expect.poll(() => server.received.length).toBe(2);
    rig.clock.now += 1;
    await rig.endTask();
    await expect.poll(async () => (await rig.webhooks.stats()).pending).toBe(21);
    waiting.shift()?.writeHead(200).end();
    await expect.poll(() => server.received.map(({ path }) => path)).toEqual(['/bob', '/bob', '/alice']);
    await expect
      .poll(async () => {
        reply(waiting);
        return delivered();
      })
      .toBe(21);
    expect([max(), server.received.length]).toEqual([2, 21]);
    await expect.poll(remainingKeys).toEqual([]);
  });
});
