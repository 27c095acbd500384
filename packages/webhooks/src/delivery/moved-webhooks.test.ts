import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Receiver, type WebhookRig, webhookRig } from '../../test/webhook-rig.ts';

let rig: WebhookRig;
let before: Receiver;
let after: Receiver;
/** Open calls to the old server, which responds only when the test ends them. */
let waiting: ServerResponse[];
beforeEach(async () => {
  rig = await webhookRig({ perHost: 2, timeoutMs: 60_000 });
  [before, after] = [await rig.receiver(), await rig.receiver()];
  waiting = [];
  before.response = (response) => void waiting.push(response);
});
afterEach(() => rig.close());

const register = (url: string, owner = 'alice') =>
  rig.webhooks.create(owner, { url, name: '', events: ['video.completed'], enabled: true });
const delivered = async () => (await rig.webhooks.stats()).delivered;

it('moves pending deliveries to the new host when the URL changes', async () => {
  const { id } = await register(before.origin);
  for (let i = 0; i < 5; i++) await rig.endTask();
  rig.startWorker();
  await expect.poll(() => before.received.length).toBe(2);
  await expect.poll(async () => (await rig.webhooks.stats()).pending).toBe(5);
  await rig.webhooks.update('alice', id, { url: after.origin });
  await expect.poll(() => after.received.length).toBe(3);
  expect(before.received.length).toBe(2);
  // The attempts in flight fail at the old host. The next attempts go to the new host.
  for (const response of waiting) response.writeHead(500).end();
  await expect.poll(async () => (await rig.webhooks.stats()).attempts['5xx']).toBe(2);
  rig.clock.now += 6_000;
  await expect.poll(delivered).toBe(5);
  expect([before.received.length, after.received.length]).toEqual([2, 5]);
  expect((await rig.keys()).filter((key) => /^(owners|hosts|due|leased|line)/.test(key))).toEqual([]);
});

it('moves all pending deliveries, whatever their number', async () => {
  const { id } = await register(before.origin);
  for (let i = 0; i < 250; i++) await rig.endTask();
  rig.startWorker();
  await expect.poll(async () => (await rig.webhooks.stats()).pending).toBe(250);
  await rig.webhooks.update('alice', id, { url: after.origin });
  await expect.poll(delivered, { timeout: 60_000 }).toBe(248);
  expect(before.received.length).toBe(2);
}, 90_000);

it("applies the new host's limit to moved deliveries, even if the API stopped during the change", async () => {
  // Another owner occupies the only slots of the new host.
  after.response = (response) => void waiting.push(response);
  before.response = (response) => void response.writeHead(500).end();
  await register(`${after.origin}/bob`, 'bob');
  for (let i = 0; i < 2; i++) await rig.endTask({ owner: 'bob' });
  rig.startWorker();
  await expect.poll(() => after.received.length).toBe(2);
  const { id } = await register(before.origin);
  await rig.endTask();
  await expect.poll(async () => (await rig.webhooks.stats()).attempts['5xx']).toBe(1);
  // Write only the new URL, as if the API had stopped before it could move the deliveries.
  await rig.redis.hset(`{${rig.prefix}}:webhooks:webhook:${id}`, 'url', `${after.origin}/alice`);
  rig.clock.now += 5_500;
  await expect.poll(async () => (await rig.keys()).some((key) => key.startsWith('line:'))).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([before.received.length, after.received.length]).toEqual([1, 2]);
  after.response = (response) => void response.writeHead(200).end();
  for (const response of waiting) response.writeHead(200).end();
  await expect.poll(delivered).toBe(3);
  expect(after.received.map(({ path }) => path)).toEqual(['/bob', '/bob', '/alice']);
});

it('moves nothing for another URL at the same host', async () => {
  const { id } = await register(before.origin);
  const follow = vi.spyOn(rig.redis, 'webhooksMoveToHost');
  for (const url of [before.origin, `${before.origin}/path`, `${before.origin}/path?query`]) {
    expect(await rig.webhooks.update('alice', id, { url })).toMatchObject({ url });
  }
  expect(follow).not.toHaveBeenCalled();
  await rig.webhooks.update('alice', id, { url: after.origin });
  expect(follow).toHaveBeenCalledOnce();
});

it('examines only the newest deliveries on a change of the URL and moves the rest when they are claimed', async () => {
  const { id } = await register(before.origin);
  for (let i = 0; i < 3; i++) await rig.endTask();
  rig.startWorker();
  await expect.poll(() => before.received.length).toBe(2);
  await expect.poll(async () => (await rig.webhooks.stats()).pending).toBe(3);
  const newer = Array.from({ length: 5_000 }, (_, index) => [rig.clock.now + 1, `whd_${index}`]).flat();
  await rig.redis.zadd(`{${rig.prefix}}:webhooks:webhook_log:${id}`, ...newer);
  const follow = vi.spyOn(rig.redis, 'webhooksMoveToHost');
  await rig.webhooks.update('alice', id, { url: after.origin });
  expect(follow.mock.calls.length).toBeLessThanOrEqual(5);
  for (const response of waiting) response.writeHead(200).end();
  await expect.poll(() => after.received.length).toBe(1);
  await expect.poll(delivered).toBe(3);
});
