import type { ServerResponse } from 'node:http';
import { openRedis } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adminRig } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';
import { waitForEntries } from '../../test/ledger/ledger-entries.ts';
import { type ScriptedUpstream, scriptedUpstream, type TextRig, textRig } from '../../test/text-rig.ts';

const HEDGE_MS = 50;
/** A response costs one cent. */
const PRICE = { input: 1_000, output: 0 };

let slow: ScriptedUpstream;
let quick: ScriptedUpstream;
let rig: TextRig | undefined;
beforeEach(async () => {
  slow = await scriptedUpstream(() => undefined);
  quick = await scriptedUpstream((_request, response) => complete(response));
});
afterEach(async () => {
  await rig?.close();
  rig = undefined;
  await Promise.all([slow.close(), quick.close()]);
});

function complete(response: ServerResponse): void {
  const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'OK' } }];
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ id: 'c1', object: 'chat.completion', model: 'large', choices, usage }));
}

function stream(response: ServerResponse): void {
  const chunk = { id: 'c1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'OK' } }] };
  const end = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
}

async function start(model: Record<string, unknown> = {}, routing: Record<string, unknown> = {}): Promise<TextRig> {
  rig = await textRig({
    upstreams: {
      slow: { kind: 'chat-completions', base_url: `${slow.url}/v1`, api_key: 'sk-slow' },
      quick: { kind: 'chat-completions', base_url: `${quick.url}/v1`, api_key: 'sk-quick' },
    },
    models: [{ id: 'chat', routes: routesOf('slow', 'quick'), hedge_ms: HEDGE_MS, capabilities: ['text'], ...model }],
    routing,
  });
  return rig;
}

function routesOf(...upstreams: string[]) {
  return upstreams.map((upstream) => ({ upstream, model: 'large' }));
}

const BODY = { model: 'chat', messages: [{ role: 'user', content: 'Hello' }] };

async function say(fields: Record<string, unknown> = {}): Promise<Response> {
  const response = await rig?.post('/v1/chat/completions', { ...BODY, ...fields });
  if (!response) throw new Error('not started');
  return response;
}

describe('a hedged request', () => {
  it.each([false, true])(
    'uses the response of the next route, and aborts the first call (stream: %s)',
    async (isStream) => {
      quick.script = (_request, response) => (isStream ? stream(response) : complete(response));
      await start({ price: PRICE });
      const response = await say({ stream: isStream });
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('OK');
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'x-sluice-upstream': 'quick',
        'x-sluice-attempts': '2',
        'x-sluice-hedged': 'slow',
      });
      expect(Number(response.headers.get('x-sluice-hedge-cost'))).toBeGreaterThan(0);
      await expect.poll(() => slow.disconnects).toBe(1);
      await expect.poll(() => rig?.logs()).toMatch(/"result":"hedged"[^}]*"cost_usd":0\.0/);
      expect(await rig?.metrics.render()).toMatch(/sluice_cost_usd_total\{[^}]*upstream="slow"\} 0\.0/);
    },
  );

  it('calls one upstream if it responds in time', async () => {
    slow.script = (_request, response) => complete(response);
    await start({ hedge_ms: 10_000 });
    const response = await say();
    expect(response.headers.get('x-sluice-attempts')).toBe('1');
    expect(response.headers.get('x-sluice-hedged')).toBeNull();
    expect(quick.requests).toEqual([]);
  });

  it('uses the first call if it responds first, and aborts the second', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    slow.script = (_request, response) => void promise.then(() => complete(response));
    quick.script = () => resolve();
    await start();
    const response = await say();
    expect(response.headers.get('x-sluice-upstream')).toBe('slow');
    expect(response.headers.get('x-sluice-hedged')).toBe('quick');
    await expect.poll(() => quick.disconnects).toBe(1);
  });

  it('waits for the first call if the second fails, and has the first error if both fail', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    slow.script = (_request, response) => void promise.then(() => complete(response));
    quick.script = (_request, response) => {
      response.writeHead(500).end('{}');
      setTimeout(resolve, 20);
    };
    await start();
    expect((await say()).headers.get('x-sluice-upstream')).toBe('slow');
    slow.script = (_request, response) => {
      setTimeout(() => response.writeHead(429, { 'retry-after': '7' }).end('{}'), 3 * HEDGE_MS);
    };
    const failed = await say();
    expect(failed.status).toBe(429);
    expect(failed.headers.get('retry-after')).toBe('7');
    // Each upstream was called once by each request.
    expect([slow.requests.length, quick.requests.length]).toEqual([2, 2]);
  });

  it.each([
    ['the vendor stores the response', { store: true }],
    ['the vendor calls a tool', { tools: [{ type: 'web_search_preview' }] }],
    ['the vendor searches the web', { web_search_options: {} }],
  ])('waits if %s', async (_what, fields) => {
    slow.script = (_request, response) => void setTimeout(() => complete(response), 4 * HEDGE_MS);
    await start();
    expect((await say(fields)).headers.get('x-sluice-upstream')).toBe('slow');
    expect(quick.requests).toEqual([]);
  });

  it('uses another credential of the pool, ends the use of both, and has an entry in the ledger', async () => {
    let calls = 0;
    const vendor = await scriptedUpstream((_request, response) => {
      calls += 1;
      if (calls === 2) complete(response);
    });
    const credentials = ['one', 'two'].map((name) => ({ name, api_key: `sk-${name}`, max_in_flight: 2 }));
    const admin = await adminRig({
      config: {
        upstreams: { acme: { kind: 'chat-completions', base_url: `${vendor.url}/v1`, credentials } },
        models: [{ id: 'chat', routes: routesOf('acme'), hedge_ms: HEDGE_MS, capabilities: ['text'], price: PRICE }],
      },
    });
    const redis = openRedis(admin.tasks.redisUrl);
    try {
      const headers = { authorization: `Bearer ${KEYS.alice}`, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(BODY) };
      const response = await admin.call('/v1/chat/completions', init);
      expect(response.status).toBe(200);
      expect(response.headers.get('x-sluice-hedged')).toBe('acme');
      expect(new Set(vendor.requests.map((one) => one.headers.authorization)).size).toBe(2);
      await expect.poll(() => admin.metrics.render()).toMatch(/sluice_credential_calls_in_flight\{[^}]*"two"\} 0/);
      expect(await admin.metrics.render()).toMatch(/sluice_credential_calls_in_flight\{[^}]*"one"\} 0/);
      const [entry] = await waitForEntries(redis, admin.tasks.prefix, 1);
      expect(entry?.attempts).toMatchObject([
        { result: 'served' },
        { result: 'hedged', costNanos: expect.any(Number) },
      ]);
      expect(entry?.costNanos).toBe(10_000_000);
    } finally {
      redis.disconnect();
      await admin.close();
      await vendor.close();
    }
  });
});

/** Begins a conversation, which therefore begins with the first route. */
const ask = (number: number) => say({ messages: [{ role: 'user', content: `Hello ${number}` }] });

describe('the retry budget', () => {
  it('ends requests with the error of the last call when it is spent', async () => {
    slow.script = (_request, response) => response.writeHead(500).end('{}');
    // The circuit breaker does not open.
    await start({ hedge_ms: undefined }, { retry_percent: 0, failures: 1_000 });
    for (let sent = 0; sent < 100; sent += 1) expect((await ask(sent)).status).toBe(200);
    const response = await ask(100);
    expect(response.status).toBe(502);
    expect(response.headers.get('x-sluice-attempts')).toBe('1');
    expect([slow.requests.length, quick.requests.length]).toEqual([101, 100]);
    await expect.poll(() => rig?.logs()).toContain('"result":"retry_budget"');
  });

  it('does not count calls after a limited credential', async () => {
    slow.script = (_request, response) => response.writeHead(429).end('{}');
    await start({ hedge_ms: undefined }, { retry_percent: 0 });
    for (let sent = 0; sent < 110; sent += 1) expect((await ask(sent)).status).toBe(200);
    expect(slow.requests).toHaveLength(110);
  });
});
