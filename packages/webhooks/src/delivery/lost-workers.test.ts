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

const register = (url = `${receiver.origin}/hook`) =>
  rig.webhooks.create('alice', { url, name: '', events: ['video.completed'], enabled: true });
const { deliveries, finished } = ownerDeliveries(() => ({ rig, receiver }));

describe('a worker', () => {
  it('that dies loses nothing: another worker claims its deliveries when the lease ends', async () => {
    await register();
    const task = await rig.endTask();
    // This worker claims a delivery and never finishes the attempt.
    const deadWorker = rig.startWorker({ post: () => new Promise(() => undefined) });
    await expect.poll(async () => (await rig.redis.keys(`{${rig.prefix}}:webhooks:leased`)).length).toBe(1);
    await deadWorker.close(0);
    rig.startWorker();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(receiver.received).toEqual([]);
    rig.clock.now += rig.settings.timeoutMs + rig.settings.leaseMs;
    await finished(1);
    expect(receiver.received.map(({ event }) => event.data.id)).toEqual([task]);
  });

  it('that returns late has no effect', async () => {
    const post = Promise.withResolvers<{ status: number }>();
    await register();
    await rig.endTask();
    // With a concurrency of 1, the worker cannot claim its own delivery again.
    rig.startWorker({ post: () => post.promise, settings: { ...rig.settings, concurrency: 1 } });
    await expect.poll(async () => (await rig.redis.keys(`{${rig.prefix}}:webhooks:leased`)).length).toBe(1);
    rig.clock.now += rig.settings.timeoutMs + rig.settings.leaseMs;
    let release: (() => void) | undefined;
    receiver.response = (response) => {
      release = () => void response.writeHead(200).end();
    };
    rig.startWorker();
    await expect.poll(() => receiver.received.length).toBe(1);
    post.resolve({ status: 410 });
    await expect.poll(() => rig.logs()).toContain('stale worker');
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts: [] }]);
    release?.();
    expect(await finished(1)).toMatchObject([{ status: 'delivered', attempts: [{ status: 200 }] }]);
  });

  it('that stalls past its lease does not send what another worker has sent', async () => {
    await register();
    await rig.endTask();
    let examined = 0;
    const loadTask = async (id: string) => {
      examined += 1;
      if (examined === 1) {
        rig.clock.now += rig.settings.timeoutMs + rig.settings.leaseMs;
        await expect.poll(() => receiver.received.length).toBe(1);
      }
      return { ...sampleTask('video.completed', 1), id };
    };
    rig.startWorker({ loadTask });
    const [delivery] = await finished(1);
    await expect.poll(() => rig.logs()).toContain('stale worker');
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status: 200 }] });
    expect([examined, receiver.received.length]).toEqual([2, 1]);
  });

  it('that stops releases its attempts in flight', async () => {
    const stuck = await rig.receiver();
    stuck.response = () => undefined;
    await register(`${stuck.origin}/stuck`);
    await rig.endTask();
    const worker = rig.startWorker();
    await expect.poll(() => stuck.received.length).toBe(1);
    await worker.close(10);
    stuck.response = (response) => void response.writeHead(200).end();
    rig.startWorker();
    expect(await finished(1)).toMatchObject([{ status: 'delivered', attempts: [{ status: 200 }] }]);
  });
});
