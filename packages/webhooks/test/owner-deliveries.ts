import { expect } from 'vitest';
import type { Receiver, WebhookRig } from './webhook-rig.ts';

const EVENTS = ['video.completed', 'video.failed', 'image.completed', 'image.failed'] as const;

/** Registers webhooks of an owner, and waits for their deliveries. */
export function ownerDeliveries(context: () => { rig: WebhookRig; receiver: Receiver }) {
  function register(
    url = `${context().receiver.origin}/hook`,
    owner = 'alice',
    events: (typeof EVENTS)[number][] = [...EVENTS],
  ) {
    return context().rig.webhooks.create(owner, { url, name: 'mine', events, enabled: true });
  }

  async function deliveries(owner = 'alice') {
    return (await context().rig.webhooks.deliveries(owner, { limit: 100 })).deliveries;
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

  return { register, deliveries, finished, attempted };
}
