import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';
import { UpstreamListSchema } from './upstream-endpoints.ts';

const PATIENCE = { timeout: 20_000, interval: 20 };
const SECRET = 'vendor-key-secret';
let vendor: Server;
let rig: AdminRig;
/** Bodies that the vendor received. */
let received: unknown[];
let status: number;
beforeEach(async () => {
  received = [];
  status = 200;
  vendor = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      received.push(JSON.parse(text));
      const error = { error: { message: `The key ${SECRET} is <b>wrong</b>.` } };
      const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'OK' } }];
      const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
      const body = status === 200 ? { id: 'c1', object: 'chat.completion', model: 'large', choices, usage } : error;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
  const { port } = vendor.address() as AddressInfo; // The server listens on a port.
  const acme = { kind: 'chat-completions', base_url: `http://127.0.0.1:${port}/v1`, api_key: SECRET };
  rig = await adminRig({
    config: {
      upstreams: { acme },
      models: [
        {
          id: 'chat',
          routes: [{ upstream: 'acme', model: 'large' }],
          price: { input: 1, output: 5 },
          capabilities: ['text'],
        },
        { id: 'any-*', routes: [{ upstream: 'acme', model: '*' }] },
      ],
    },
  });
});
afterEach(async () => {
  await rig.close();
  vendor.close();
});

const test = (body: unknown, name = 'acme') => rig.admin('POST', `upstreams/${name}/test`, body);

describe('GET /admin/v1/upstreams', () => {
  it('lists upstreams with their circuits and models, without credentials', async () => {
    const { status: code, body } = await rig.admin('GET', 'upstreams');
    expect(code).toBe(200);
    expect(body['data']).toContainEqual(
      expect.objectContaining({
        name: 'acme',
        credentials: ['api_key'],
        models: ['chat', 'any-*'],
        circuits: expect.arrayContaining([{ operation: 'text', state: 'closed' }]) as unknown,
      }),
    );
    expect(JSON.stringify(body)).not.toContain(SECRET);
  });

  it('reports when an open circuit admits a call', async () => {
    status = 500;
    const chat = { model: 'chat', messages: [{ role: 'user', content: 'hi' }] };
    const headers = { authorization: `Bearer ${KEYS.alice}`, 'content-type': 'application/json' };
    for (let sent = 0; sent < 5; sent += 1) {
      await rig.call('/v1/chat/completions', { method: 'POST', headers, body: JSON.stringify(chat) });
    }
    const { body } = await rig.admin('GET', 'upstreams');
    // The cast is safe because this is the documented form.
    const acme = (body['data'] as { name: string; circuits: unknown[] }[]).find(({ name }) => name === 'acme');
    expect(acme?.circuits).toContainEqual({
      operation: 'text',
      state: 'open',
      retry_after_ms: expect.any(Number) as number,
    });
  });
});

describe('the slots of GET /admin/v1/upstreams', () => {
  it('reports for how long a busy upstream gets no submissions', async () => {
    const busy = await adminRig({
      script: { submit: () => ({ kind: 'busy', code: 'rate_limited', message: 'slow down', retryAfterMs: 60_000 }) },
      settings: { retryMinMs: 30_000, retryMaxMs: 60_000 },
    });
    const tasksOf = async () => {
      const { data } = UpstreamListSchema.parse((await busy.admin('GET', 'upstreams')).body);
      return data.find(({ name }) => name === 'vendor')?.tasks;
    };
    try {
      await busy.tasks.startWorker();
      await vi.waitUntil(async () => (await tasksOf()) !== undefined, PATIENCE);
      expect(await tasksOf()).not.toHaveProperty('paused_ms');
      await busy.createdId();
      await vi.waitUntil(async () => (await tasksOf())?.paused_ms !== undefined, PATIENCE);
      const { paused_ms: pausedMs = 0, in_flight: inFlight } = (await tasksOf()) ?? {};
      expect(pausedMs).toBeGreaterThan(1_000);
      expect(pausedMs).toBeLessThanOrEqual(60_000);
      expect(inFlight).toEqual({ used: 0 });
    } finally {
      await busy.close();
    }
  });
});

describe('POST /admin/v1/upstreams/:name/test', () => {
  it('sends one request and returns the response, the usage, and the cost', async () => {
    const { body } = await test({ model: 'chat' });
    expect(body).toMatchObject({
      object: 'upstream.test',
      ok: true,
      upstream_model: 'large',
      operation: 'text',
      response: 'OK',
      usage: { input_tokens: 10, output_tokens: 2 },
      cost_usd: 0.00002,
    });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ model: 'large' });
  });

  it('finds models that match a pattern', async () => {
    expect((await test({ model: 'any-thing' })).body).toMatchObject({ ok: true, upstream_model: 'thing' });
  });

  it("returns the upstream's error without its credential", async () => {
    status = 401;
    const { status: code, body } = await test({ model: 'chat' });
    expect([code, body['ok'], body['upstream_status']]).toEqual([200, false, 401]);
    expect(body['error']).toMatchObject({ code: 'provider_auth' });
    expect(body['upstream_body']).toContain('is <b>wrong</b>.');
    expect(JSON.stringify(body) + rig.logs()).not.toContain(SECRET);
  });

  it('returns the failure of an upstream that does not respond', async () => {
    vendor.close();
    vendor.closeAllConnections();
    expect((await test({ model: 'chat' })).body).toMatchObject({ ok: false, error: { code: 'provider_error' } });
  });

  it('refuses unknown upstreams, models without a route, patterns, and paid files', async () => {
    expect((await test({ model: 'chat' }, 'nowhere')).status).toBe(404);
    for (const body of [{}, { model: 'video' }, { model: 'any-*' }, { model: 7 }, { model: 'chat', prompt: 'x' }]) {
      expect(await test(body), JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request' } },
      });
    }
    expect((await test({ model: 'chat', operation: 'rerank' })).status).toBe(400);
    expect(received).toEqual([]);
  });

  it('refuses API keys', async () => {
    const headers = { authorization: `Bearer ${KEYS.alice}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: '{"model":"chat"}' };
    expect((await rig.call('/admin/v1/upstreams/acme/test', init)).status).toBe(401);
  });
});

describe('GET /admin/v1/models', () => {
  it('lists routes and prices', async () => {
    const { body } = await rig.admin('GET', 'models');
    expect(body['data']).toContainEqual({
      object: 'model',
      id: 'chat',
      operations: ['text'],
      strict: false,
      routes: [
        {
          upstream: 'acme',
          model: 'large',
          price_status: 'config',
          price: expect.objectContaining({ input: 1, output: 5 }),
        },
      ],
    });
    expect(body['data']).toContainEqual(
      expect.objectContaining({ id: 'any-*', routes: [expect.objectContaining({ price_status: 'depends_on_model' })] }),
    );
  });
});
