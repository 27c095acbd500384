import { GatewayError } from '@sluice/canonical';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, type WebhookRig, webhookRig } from '../test/webhook-rig.ts';
import { createWebhooks } from './create-webhooks.ts';

let rig: WebhookRig;
beforeEach(async () => {
  rig = await webhookRig();
});
afterEach(() => rig.close());

const PARAMS = { url: 'https://client.test/hook', name: 'mine', events: ['video.failed'], enabled: true } as const;
const NOT_FOUND = { code: 'webhook_not_found' };

describe('a webhook', () => {
  it('is visible only to its owner and shows its secret once', async () => {
    const { secret, ...created } = await rig.webhooks.create('alice', PARAMS);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(created).toEqual({
      id: created.id,
      url: PARAMS.url,
      name: 'mine',
      events: ['video.failed'],
      createdAt: rig.clock.now,
      updatedAt: rig.clock.now,
      secretHint: `whsec_…${secret.slice(-4)}`,
    });
    expect(await rig.webhooks.find('alice', created.id)).toEqual(created);
    expect(await rig.webhooks.list('alice')).toEqual([created]);
    expect(await rig.webhooks.list('bob')).toEqual([]);
    const { webhooks } = rig;
    for (const id of [created.id, 'whe_', 'nonsense', `whe_${'0'.repeat(32)}`]) {
      await expect(webhooks.find('bob', id)).rejects.toMatchObject(NOT_FOUND);
      await expect(webhooks.update('bob', id, { enabled: false })).rejects.toMatchObject(NOT_FOUND);
      await expect(webhooks.rotate('bob', id, true)).rejects.toMatchObject(NOT_FOUND);
      await expect(webhooks.test('bob', id)).rejects.toMatchObject(NOT_FOUND);
      await expect(webhooks.remove('bob', id)).rejects.toMatchObject(NOT_FOUND);
      await expect(webhooks.deliveries('bob', { limit: 1, webhookId: id })).rejects.toMatchObject(NOT_FOUND);
    }
    expect(await rig.webhooks.find('alice', created.id)).toEqual(created);
  });

  it('changes only in the updated fields', async () => {
    const { id, createdAt } = await rig.webhooks.create('alice', PARAMS);
    rig.clock.now += 5;
    const changed = await rig.webhooks.update('alice', id, { events: ['image.completed', 'video.completed'] });
    expect(changed).toMatchObject({ url: PARAMS.url, name: 'mine', createdAt, updatedAt: createdAt + 5 });
    expect(changed.events).toEqual(['video.completed', 'image.completed']);
    expect((await rig.webhooks.update('alice', id, { enabled: false })).disabled).toBe('by_owner');
    expect((await rig.webhooks.update('alice', id, { enabled: true })).disabled).toBeUndefined();
    await rig.webhooks.remove('alice', id);
    await expect(rig.webhooks.update('alice', id, { enabled: false })).rejects.toMatchObject(NOT_FOUND);
    expect(await rig.keys()).toEqual(['seal']);
  });

  it("counts towards the key's limit even under concurrency", async () => {
    const created = await Promise.allSettled(Array.from({ length: 8 }, () => rig.webhooks.create('alice', PARAMS)));
    expect(created.filter(({ status }) => status === 'fulfilled').length).toBe(rig.settings.perKey);
    expect(created.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'invalid_request' } });
    await rig.webhooks.create('bob', PARAMS);
  });
});

describe('a signing secret', () => {
  it('is never stored in plain text', async () => {
    const { secret, id } = await rig.webhooks.create('alice', PARAMS);
    const rotated = await rig.webhooks.rotate('alice', id, true);
    const { secret: own } = await rig.webhooks.keySecret('alice');
    const stored = (await rig.keys()).filter((key) => /^(webhook|secret):/.test(key));
    expect(stored.length).toBe(2);
    for (const key of stored) {
      const dump = JSON.stringify(await rig.redis.hgetall(`{${rig.prefix}}:webhooks:${key}`));
      for (const one of [secret, rotated.secret, own]) expect(dump).not.toContain(one.slice('whsec_'.length, -4));
    }
  });

  it('of a key is created on first use and differs for each key', async () => {
    const first = await Promise.all(Array.from({ length: 6 }, () => rig.webhooks.keySecret('alice')));
    expect(new Set(first.map(({ secret }) => secret)).size).toBe(1);
    expect(first[0]?.secretHint).toBe(`whsec_…${first[0]?.secret.slice(-4)}`);
    expect((await rig.webhooks.keySecret('bob')).secret).not.toBe(first[0]?.secret);
  });

  it('that was encrypted with another gateway secret is reported as unreadable until it is rotated', async () => {
    await rig.webhooks.keySecret('alice');
    const { redis, prefix, settings, logger } = rig;
    expect(rig.logs()).not.toContain('SLUICE_SECRET');
    const moved = createWebhooks({ redis, prefix, settings, logger, secret: 'another secret of the gateway' });
    await expect.poll(() => rig.logs()).toContain('SLUICE_SECRET');
    await expect(moved.keySecret('alice')).rejects.toMatchObject({ code: 'internal_error' });
    const { secret } = await moved.rotateKeySecret('alice', false);
    expect(await moved.keySecret('alice')).toMatchObject({ secret });
  });

  it('that is unreadable is dropped by a rotation, so deliveries are sent at once', async () => {
    const receiver = await rig.receiver();
    const { id } = await rig.webhooks.create('alice', { ...PARAMS, url: receiver.origin });
    await rig.webhooks.keySecret('alice');
    const { redis, prefix, settings, logger, clock } = rig;
    const moved = { redis, prefix, settings, logger, now: () => clock.now, secret: 'another secret of the gateway' };
    const webhooks = createWebhooks(moved);
    rig.startWorker({ secret: moved.secret });
    const rotated = [await webhooks.rotate('alice', id, true), await webhooks.rotateKeySecret('alice', true)];
    for (const one of rotated) expect(one).not.toHaveProperty('previousSecretUntil');
    await rig.endTask({ status: 'failed', callback: `${receiver.origin}/call` });
    await expect.poll(async () => (await webhooks.stats()).delivered).toBe(2);
    expect(receiver.received.map(({ headers }) => headers['webhook-signature'])).toEqual([
      expect.stringMatching(/^v1,\S+$/),
      expect.stringMatching(/^v1,\S+$/),
    ]);
  });
});

describe('a rotation', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await rig.receiver();
    rig.startWorker();
  });

  function verifies(secret: string, at = -1): boolean {
    const received = receiver.received.at(at);
    try {
      new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {});
      return true;
    } catch {
      return false;
    }
  }

  /** Like `verifies`, but accepts any time of delivery. */
  function signed(secret: string): boolean {
    const { body = '', headers = {} } = receiver.received.at(-1) ?? {};
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const signature = new Webhook(secret).sign(headers['webhook-id'] ?? '', at, body);
    return headers['webhook-signature']?.split(' ').includes(signature) ?? false;
  }

  async function deliver(callback?: string) {
    const before = receiver.received.length;
    await rig.endTask({ status: 'failed', ...(callback !== undefined && { callback }) });
    // Wait until the delivery is recorded. If the test moved the clock before that, the lease would end.
    await expect.poll(async () => (await rig.webhooks.stats()).delivered).toBe(before + 1);
    expect(receiver.received.length).toBe(before + 1);
  }

  it('keeps both secrets valid for the configured time, then only the new one', async () => {
    const old = await rig.webhooks.create('alice', { ...PARAMS, url: receiver.origin });
    const { secret, previousSecretUntil } = await rig.webhooks.rotate('alice', old.id, true);
    expect(previousSecretUntil).toBe(rig.clock.now + rig.settings.rotationMs);
    await deliver();
    expect([verifies(old.secret), verifies(secret)]).toEqual([true, true]);
    expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    rig.clock.now += rig.settings.rotationMs;
    expect(await rig.webhooks.find('alice', old.id)).not.toHaveProperty('previousSecretUntil');
    await deliver();
    expect(receiver.received[1]?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
    expect(receiver.received[1]?.headers['webhook-timestamp']).toBe(String(Math.floor(rig.clock.now / 1_000)));
  });

  it('keeps up to five secrets valid after several rotations', async () => {
    const first = await rig.webhooks.create('alice', { ...PARAMS, url: receiver.origin });
    const secrets = [first.secret];
    for (let rotation = 0; rotation < 5; rotation += 1) {
      rig.clock.now += 1_000;
      secrets.push((await rig.webhooks.rotate('alice', first.id, true)).secret);
    }
    const rotatedAt = rig.clock.now;
    await deliver();
    expect(secrets.map((secret) => signed(secret))).toEqual([false, true, true, true, true, true]);
    // Each earlier secret expires at a different time.
    rig.clock.now = rotatedAt + rig.settings.rotationMs - 2_000;
    await deliver();
    expect(secrets.map((secret) => signed(secret))).toEqual([false, false, false, true, true, true]);
    await rig.webhooks.rotate('alice', first.id, false);
    await deliver();
    expect(secrets.map((secret) => signed(secret))).toEqual(secrets.map(() => false));
  });

  it('without a grace period ends the old secret', async () => {
    const old = await rig.webhooks.create('alice', { ...PARAMS, url: receiver.origin });
    const { secret } = await rig.webhooks.rotate('alice', old.id, false);
    await deliver();
    expect([verifies(old.secret), verifies(secret)]).toEqual([false, true]);
  });

  it("of a key's secret applies to callbacks in the same way", async () => {
    const old = await rig.webhooks.keySecret('alice');
    const { secret } = await rig.webhooks.rotateKeySecret('alice', true);
    expect(await rig.webhooks.keySecret('alice')).toMatchObject({ secret, previousSecretUntil: expect.any(Number) });
    await deliver(receiver.origin);
    expect([verifies(old.secret), verifies(secret)]).toEqual([true, true]);
  });
});

describe('a test delivery', () => {
  it('sends an event of a sample task even if the webhook is not subscribed to it', async () => {
    const receiver = await rig.receiver();
    const { id } = await rig.webhooks.create('alice', { ...PARAMS, url: receiver.origin });
    rig.startWorker();
    const delivery = await rig.webhooks.test('alice', id);
    expect(delivery).toMatchObject({ webhookId: id, type: 'video.failed', status: 'pending', attempts: [] });
    expect(delivery).not.toHaveProperty('taskId');
    await rig.webhooks.test('alice', id, 'image.completed');
    await expect.poll(() => receiver.received.length).toBe(2);
    const received = receiver.received.map(({ event }) => [event.type, event.data.id]);
    expect(received).toEqual(
      expect.arrayContaining([
        ['video.failed', 'video_test'],
        ['image.completed', 'image_test'],
      ]),
    );
  });
});

describe('repeated test deliveries', () => {
  it('return the pending test', async () => {
    const { id } = await rig.webhooks.create('alice', PARAMS);
    const first = await rig.webhooks.test('alice', id);
    expect((await rig.webhooks.test('alice', id)).id).toBe(first.id);
    expect((await rig.webhooks.test('alice', id, 'image.failed')).id).not.toBe(first.id);
    expect((await rig.webhooks.stats()).pending).toBe(2);
  });

  it('keep the last ten for an hour and leave the log unchanged', async () => {
    const receiver = await rig.receiver();
    const { id } = await rig.webhooks.create('alice', { ...PARAMS, url: receiver.origin });
    rig.startWorker();
    await rig.endTask({ status: 'failed' });
    await expect.poll(async () => (await rig.webhooks.stats()).delivered).toBe(1);
    for (let count = 2; count <= 14; count += 1) {
      await rig.webhooks.test('alice', id);
      await expect.poll(async () => (await rig.webhooks.stats()).delivered).toBe(count);
    }
    const { deliveries } = await rig.webhooks.deliveries('alice', { limit: 100 });
    expect(deliveries.length).toBe(11);
    expect((await rig.keys()).filter((key) => /^(delivery|attempts):/.test(key)).length).toBe(22);
    const prefix = `{${rig.prefix}}:webhooks:`;
    expect(await rig.redis.zcard(`${prefix}webhook_log:${id}`)).toBe(11);
    await rig.webhooks.remove('alice', id);
    expect((await rig.keys()).filter((key) => /^(tests|webhook)/.test(key))).toEqual([]);
  });
});

it("retains a test for an hour regardless of the tasks' retention", async () => {
  const long = await webhookRig({ retentionMs: 7 * 86_400_000 });
  const { id } = await long.webhooks.create('alice', PARAMS);
  const test = await long.webhooks.test('alice', id);
  const prefix = `{${long.prefix}}:webhooks:`;
  expect(await long.redis.pttl(`${prefix}delivery:${test.id}`)).toBeLessThanOrEqual(3_600_000);
  expect(await long.redis.pttl(`${prefix}log:alice`)).toBeGreaterThan(3_600_000);
  await long.close();
});

describe('deliveries', () => {
  it('are paged, newest first, for a key or one webhook', async () => {
    const one = await rig.webhooks.create('alice', PARAMS);
    const two = await rig.webhooks.create('alice', PARAMS);
    const created: string[] = [];
    for (const [webhook, type] of [
      [one, 'video.failed'],
      [two, 'video.failed'],
      [one, 'image.failed'],
      [two, 'image.failed'],
      [one, 'image.completed'],
    ] as const) {
      rig.clock.now += 1;
      created.unshift((await rig.webhooks.test('alice', webhook.id, type)).id);
    }
    const listed: string[] = [];
    for (let hasMore = true; hasMore;) {
      const after = listed.at(-1);
      const page = await rig.webhooks.deliveries('alice', { limit: 2, ...(after !== undefined && { after }) });
      listed.push(...page.deliveries.map(({ id }) => id));
      ({ hasMore } = page);
    }
    expect(listed).toEqual(created);
    const ofTwo = await rig.webhooks.deliveries('alice', { limit: 9, webhookId: two.id });
    expect(ofTwo.deliveries.map(({ id }) => id)).toEqual([created[1], created[3]]);
    await expect(rig.webhooks.deliveries('alice', { limit: 9, after: 'whd_none' })).rejects.toMatchObject({
      ...NOT_FOUND,
      param: 'after',
    });
    await expect(rig.webhooks.delivery('bob', created[0] ?? '')).rejects.toMatchObject(NOT_FOUND);
    await expect(rig.webhooks.delivery('alice', '../x')).rejects.toMatchObject(NOT_FOUND);
  });
});

it('reports unavailable webhooks while Redis is away', async () => {
  rig.redis.disconnect();
  const failure = await rig.webhooks.list('alice').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(GatewayError);
  expect(failure).toMatchObject({ code: 'store_unavailable', retryable: true });
});
