import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ config: { webhooks: { allow: ['http://hooks.internal:9000'], per_key: 3, timeout_ms: 1 } } });
});
afterAll(() => rig.close());

interface WebhookJson {
  id: string;
  secret: string;
  data: { id: string }[];
  has_more: boolean;
  error: { code: string; param: string | null };
}

async function call(method: string, at: string, body?: object, key = KEYS.alice) {
  const response = await rig.call(at, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as WebhookJson };
}

describe('/v1/webhooks', () => {
  it('registers, returns, changes, rotates, and deletes webhooks', async () => {
    const created = await call('POST', '/v1/webhooks', {
      url: 'https://client.test/hook',
      events: ['video.failed', 'video.completed', 'video.failed'],
      name: 'mine',
    });
    expect(created).toMatchObject({
      status: 200,
      body: {
        object: 'webhook_endpoint',
        url: 'https://client.test/hook',
        name: 'mine',
        events: ['video.completed', 'video.failed'],
        event_types: ['video.completed', 'video.failed'],
        enabled: true,
        secret: expect.stringMatching(/^whsec_/),
      },
    });
    const { id, secret } = created.body;
    const shown = await call('GET', `/v1/webhooks/${id}`);
    expect(shown).toMatchObject({ status: 200, body: { id, signing_secret_hint: `whsec_…${secret.slice(-4)}` } });
    expect(JSON.stringify(shown.body)).not.toContain(secret);
    expect(shown.body).not.toHaveProperty('secret');
    const off = await call('PATCH', `/v1/webhooks/${id}`, { enabled: false, name: '' });
    expect(off.body).toMatchObject({
      enabled: false,
      disabled_reason: 'by_owner',
      name: '',
      url: 'https://client.test/hook',
    });
    const rotated = await call('POST', `/v1/webhooks/${id}/rotate`);
    expect(rotated.body).toMatchObject({ id, previous_secret_until: expect.any(Number) });
    expect(rotated.body.secret).not.toBe(secret);
    const dropped = await call('POST', `/v1/webhooks/${id}/rotate`, { keep_previous: false });
    expect(dropped.body).not.toHaveProperty('previous_secret_until');
    expect((await call('GET', `/v1/webhooks`)).body).toMatchObject({ object: 'list', data: [{ id }], has_more: false });
    expect((await call('DELETE', `/v1/webhooks/${id}`)).body).toEqual({
      id,
      object: 'webhook_endpoint.deleted',
      deleted: true,
    });
    expect((await call('GET', `/v1/webhooks/${id}`)).status).toBe(404);
  });

  it('isolates the webhooks of each key', async () => {
    const { id } = (await call('POST', '/v1/webhooks', { url: 'https://client.test/' })).body;
    for (const [method, at] of [
      ['GET', `/v1/webhooks/${id}`],
      ['PATCH', `/v1/webhooks/${id}`],
      ['DELETE', `/v1/webhooks/${id}`],
      ['POST', `/v1/webhooks/${id}/rotate`],
      ['POST', `/v1/webhooks/${id}/test`],
      ['GET', `/v1/webhooks/${id}/deliveries`],
      ['GET', '/v1/webhooks/deliveries/whd_x'],
      ['POST', '/v1/webhooks/deliveries/whd_x/redeliver'],
      ['POST', `/v1/webhook_endpoints/${id}/rotate_secret`],
    ] as const) {
      const refused = await call(method, at, method === 'GET' ? undefined : {}, KEYS.bob);
      expect([at, refused.status, refused.body.error.code]).toEqual([at, 404, 'webhook_not_found']);
    }
    expect((await call('GET', '/v1/webhooks', undefined, KEYS.bob)).body.data).toEqual([]);
    expect((await fetch(`${rig.origin}/v1/webhooks`)).status).toBe(401);
    await call('DELETE', `/v1/webhooks/${id}`);
  });

  it('lists webhooks page by page', async () => {
    const created = await Promise.all(
      [1, 2, 3].map(() => call('POST', '/v1/webhooks', { url: 'http://hooks.internal:9000/' })),
    );
    const { data, has_more } = (await call('GET', '/v1/webhooks?limit=2')).body;
    expect([data.length, has_more]).toEqual([2, true]);
    const rest = (await call('GET', `/v1/webhooks?limit=2&after=${data[1]?.id}`)).body;
    expect([rest.data.length, rest.has_more]).toEqual([1, false]);
    await Promise.all(created.map(({ body }) => call('DELETE', `/v1/webhooks/${body.id}`)));
  });

  it('returns the secret of callbacks on each request', async () => {
    const first = await call('GET', '/v1/webhooks/secret');
    expect(first).toMatchObject({ status: 200, body: { object: 'webhook_secret' } });
    expect((await call('GET', '/v1/webhooks/secret')).body).toEqual(first.body);
    const rotated = await call('POST', '/v1/webhooks/secret/rotate', {});
    expect(rotated.body.secret).not.toBe(first.body.secret);
    expect((await call('GET', '/v1/webhooks/secret')).body).toEqual(rotated.body);
    expect((await call('GET', '/v1/webhooks/secret', undefined, KEYS.bob)).body.secret).not.toBe(rotated.body.secret);
  });

  it('lists the deliveries of all webhooks, and redelivers', async () => {
    const { id } = (await call('POST', '/v1/webhooks', { url: 'https://client.test/' })).body;
    // No worker runs here, so the test call times out. Its delivery is still queued.
    const controller = new AbortController();
    const test = fetch(`${rig.origin}/v1/webhooks/${id}/test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.alice}` },
      signal: controller.signal,
    });
    const all = async () => (await call('GET', '/v1/webhooks/deliveries')).body.data;
    await expect.poll(async () => (await all()).length).toBe(1);
    controller.abort();
    await expect(test).rejects.toThrow();
    const data = await all();
    expect(data).toMatchObject([
      { object: 'webhook.delivery', webhook_id: id, event_type: 'video.completed', status: 'pending', attempts: [] },
    ]);
    const delivery = data[0]?.id ?? '';
    expect((await call('GET', `/v1/webhooks/${id}/deliveries`)).body.data).toEqual(data);
    expect((await call('GET', `/v1/webhooks/deliveries/${delivery}`)).body).toEqual({
      ...data[0],
      request: { url: 'https://client.test/' },
    });
    expect((await call('POST', `/v1/webhooks/deliveries/${delivery}/redeliver`)).body).toMatchObject({ id: delivery });
    expect(await (await rig.call('/metrics')).text()).toContain('\nsluice_webhook_deliveries_pending 1\n');
    await call('DELETE', `/v1/webhooks/${id}`);
  });
});

it("works with OpenAI's SDK", async () => {
  const client = new OpenAI({ apiKey: KEYS.bob, baseURL: `${rig.origin}/v1`, maxRetries: 0 });
  const created = await client.webhooks.create({
    url: 'https://client.test/',
    name: 'x',
    event_types: ['video.completed'],
  });
  expect(created).toMatchObject({ object: 'webhook_endpoint', event_types: ['video.completed'] });
  expect(created.signing_secret).toMatch(/^whsec_/);
  expect(await client.webhooks.retrieve(created.id)).toMatchObject({ id: created.id, name: 'x' });
  expect(await client.webhooks.update(created.id, { event_types: ['video.failed'] })).toMatchObject({
    event_types: ['video.failed'],
  });
  const seen: string[] = [];
  for await (const webhook of client.webhooks.list({ limit: 1 })) seen.push(webhook.id);
  expect(seen).toEqual([created.id]);
  const rotated = await client.webhooks.rotateSecret(created.id);
  expect(rotated).not.toHaveProperty('previous_secret_until');
  const rotatedAgain = await client.webhooks.rotateSecret(created.id, { keep_old_secret_active_for_24_hours: true });
  expect(rotatedAgain).toHaveProperty('previous_secret_until');
  expect(new Set([created, rotated, rotatedAgain].map((one) => one.signing_secret)).size).toBe(3);
  await client.webhooks.delete(created.id);
  await expect(client.webhooks.retrieve(created.id)).rejects.toMatchObject({ status: 404, code: 'webhook_not_found' });
});
