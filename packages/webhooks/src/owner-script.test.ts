import { afterEach, describe, expect, it } from 'vitest';
import { type WebhookRig, webhookRig } from '../test/webhook-rig.ts';
import type { WebhookSettings } from './webhook-settings.ts';

let greedy: WebhookRig;
const open = async (settings: Partial<WebhookSettings>) => {
  greedy = await webhookRig(settings);
};
afterEach(() => greedy.close());

const LONG = { timeout: 20_000 };
const EVENTS = ['video.completed', 'video.failed', 'image.completed', 'image.failed'] as const;

const lane = (perHost: number, perOwner: number) =>
  [`{${greedy.prefix}}:webhooks:`, greedy.clock.now, perHost, perOwner] as const;

/** Claims as a worker does; answers what. */
async function claim(perHost: number, perOwner: number): Promise<{ next: number; ids: string[] }> {
  const lanes = lane(perHost, perOwner);
  const [next, ...flat] = await greedy.redis.webhooksClaim(
    `${lanes[0]}outbox`,
    ...lanes,
    lanes[1] + 60_000,
    9,
    600_000,
  );
  return { next: Number(next), ids: flat.filter((_, index) => index % 2 === 0).map(String) };
}

async function deliver(id: string, perHost: number, perOwner: number): Promise<void> {
  const lanes = lane(perHost, perOwner);
  const attempt = JSON.stringify({ at: 1, durationMs: 1, status: 200 });
  const key = `${lanes[0]}delivery:${id}`;
  expect(await greedy.redis.webhooksSettle(key, ...lanes, id, '1', 'delivered', attempt, 0, '2xx')).toBe(1);
}

const register = (host: string, event: (typeof EVENTS)[number], owner = 'bob') =>
  greedy.webhooks.create(owner, { url: `https://${host}.test/`, name: '', events: [event], enabled: true });

describe('an owner with many slow servers', () => {
  it('has a share of the attempts, and delays nobody else', async () => {
    await open({ concurrency: 6, perOwner: 2, perKey: 5 });
    const servers = await Promise.all(Array.from({ length: 5 }, () => greedy.receiver()));
    let underWay = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    for (const server of servers) {
      server.answer = (response) => {
        most = Math.max(most, (underWay += 1));
        waiting.push(() => {
          underWay -= 1;
          response.writeHead(200).end();
        });
      };
    }
    const told = () => servers.reduce((sum, server) => sum + server.told.length, 0);
    const wish = { name: '', events: [...EVENTS], enabled: true };
    for (const { origin } of servers) await greedy.webhooks.create('bob', { ...wish, url: origin });
    const quick = await greedy.receiver();
    await greedy.webhooks.create('alice', { ...wish, url: quick.origin });
    greedy.startWorker();
    for (let i = 0; i < 4; i++) await greedy.endTask({ owner: 'bob' });
    await expect.poll(told, LONG).toBe(2);
    await greedy.endTask();
    await expect.poll(async () => (await greedy.webhooks.stats()).delivered, LONG).toBe(1);
    expect(told()).toBe(2);
    await expect
      .poll(async () => {
        for (const go of waiting.splice(0)) go();
        return (await greedy.webhooks.stats()).delivered;
      }, LONG)
      .toBe(21);
    expect([most, told()]).toEqual([2, 20]);
    const left = await greedy.keys();
    expect(left.filter((key) => /^(held|leased|lanes|due)/.test(key))).toEqual([]);
  });

  it('is told all of it once, also when it asks for it again and when a worker dies', async () => {
    await open({ perOwner: 1, retryMs: [] });
    const server = await greedy.receiver();
    const wish = { url: server.origin, name: '', events: [...EVENTS], enabled: true };
    await greedy.webhooks.create('bob', wish);
    for (let i = 0; i < 3; i++) await greedy.endTask({ owner: 'bob' });
    const dead = greedy.startWorker({ post: () => new Promise(() => undefined) });
    await expect.poll(async () => (await greedy.keys()).filter((key) => key === 'held:bob'), LONG).toHaveLength(1);
    const { deliveries: all } = await greedy.webhooks.deliveries('bob', { limit: 9 });
    for (const { id } of all) await greedy.webhooks.redeliver('bob', id);
    await dead.close(0);
    greedy.startWorker();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(server.told).toEqual([]);
    greedy.clock.now += greedy.settings.timeoutMs + greedy.settings.leaseMs;
    await expect.poll(() => greedy.webhooks.stats(), LONG).toMatchObject({ delivered: 3, pending: 0 });
    expect(new Set(server.told.map(({ event }) => event.data.id)).size).toBe(3);
    expect(server.told.length).toBe(3);
  });
});

describe('what waits for its owner’s share', () => {
  it('is claimed once, though it was asked for again meanwhile', async () => {
    await open({});
    await register('one', 'video.completed');
    await greedy.endTask({ owner: 'bob' });
    await greedy.endTask({ owner: 'bob' });
    expect((await claim(9, 1)).ids.length).toBe(1);
    const { deliveries } = await greedy.webhooks.deliveries('bob', { limit: 9 });
    for (const { id } of deliveries) await greedy.webhooks.redeliver('bob', id);
    const { ids } = await claim(9, 2);
    expect(ids.length).toBe(1);
    await deliver(ids[0] ?? '', 9, 2);
    expect((await claim(9, 2)).ids).toEqual([]);
  });

  it('does not wait behind what waits for a busy host', async () => {
    await open({ perKey: 4 });
    for (const [index, event] of EVENTS.entries()) await register(`host-${index}`, event);
    for (const status of ['completed', 'failed']) await greedy.endTask({ owner: 'bob', kind: 'image', status });
    const { ids } = await claim(1, 2);
    expect(ids.length).toBe(2);
    for (const status of ['completed', 'failed']) {
      greedy.clock.now += 1;
      await greedy.endTask({ owner: 'bob', status });
      expect((await claim(1, 2)).ids).toEqual([]);
    }
    await register('host-0', 'video.completed', 'alice');
    await greedy.endTask();
    expect((await claim(1, 2)).ids.length).toBe(1);
    // The older one goes back to its host, which is busy now; the other is looked for at once.
    await deliver(ids[0] ?? '', 1, 2);
    const first = await claim(1, 2);
    expect(first.ids.length > 0 || first.next <= greedy.clock.now).toBe(true);
    const more = first.ids.length > 0 ? first : await claim(1, 2);
    expect(await greedy.webhooks.delivery('bob', more.ids[0] ?? '')).toMatchObject({ type: 'video.failed' });
  });
});
