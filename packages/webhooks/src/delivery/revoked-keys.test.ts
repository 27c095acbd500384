import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownerDeliveries } from '../../test/owner-deliveries.ts';
import { type Receiver, type WebhookRig, webhookRig } from '../../test/webhook-rig.ts';

let rig: WebhookRig;
let receiver: Receiver;
beforeEach(async () => {
  rig = await webhookRig();
  receiver = await rig.receiver();
});
afterEach(() => rig.close());

const register = (path: string, owner = 'alice') =>
  rig.webhooks.create(owner, {
    url: `${receiver.origin}${path}`,
    name: '',
    events: ['video.completed'],
    enabled: true,
  });
const { finished } = ownerDeliveries(() => ({ rig, receiver }));

it("delivers no end of a task after its owner's key is revoked", async () => {
  await register('/hook');
  await register('/bob', 'bob');
  rig.revoked.add('alice');
  rig.startWorker();
  await rig.endTask({ callback: `${receiver.origin}/call` });
  await rig.endTask({ owner: 'bob' });
  const all = await finished(2);
  expect(all.map(({ attempts }) => attempts[0]?.error)).toEqual(['key_revoked', 'key_revoked']);
  await finished(1, 'bob');
  expect(receiver.received.map(({ path }) => path)).toEqual(['/bob']);
  expect(await rig.webhooks.stats()).toMatchObject({ pending: 0, delivered: 1, failed: 0 });
});

it("retries no delivery after its owner's key is revoked", async () => {
  receiver.response = (response) => void response.writeHead(500).end();
  await register('/hook');
  await rig.endTask();
  rig.startWorker();
  await expect.poll(async () => (await rig.webhooks.stats()).attempts['5xx']).toBe(1);
  rig.revoked.add('alice');
  rig.clock.now += 6_000;
  const [delivery] = await finished(1);
  expect(delivery?.attempts.map(({ status, error }) => status ?? error)).toEqual([500, 'key_revoked']);
  expect(receiver.received.length).toBe(1);
});
