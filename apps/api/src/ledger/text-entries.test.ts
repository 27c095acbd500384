import type { LedgerEntry } from '@sluice/ledger';
import { afterEach, describe, expect, it } from 'vitest';
import { waitForEntries } from '../../test/ledger/ledger-entries.ts';
import { type LimitsRig, limitsRig } from '../../test/limits-rig.ts';
import { chatChunk, type Script, sendJson } from '../../test/text-rig.ts';
import { respondWith } from '../../test/vendor.ts';

const failing: Script = (_request, response) => sendJson(response, 503, { error: { message: 'down' } });

const CHAT = '/v1/chat/completions';
const messages = [{ role: 'user', content: 'a secret prompt' }];
const chat = { model: 'by-chat', messages, max_tokens: 9 };
const PRICE = { price: { input: 1, output: 2 } };
const prices = { 'by-chat': PRICE, 'by-messages': PRICE, 'by-responses': PRICE };
/** The vendor reports 3 input and 2 output tokens. */
const PRICED = {
  usage: { inputTokens: 3, outputTokens: 2 },
  costNanos: 7_000,
  lines: [
    { unit: 'input_tokens', quantity: 3, nanos: 3_000 },
    { unit: 'output_tokens', quantity: 2, nanos: 4_000 },
  ],
  priceSource: { from: 'config' },
};

let rig: LimitsRig;
afterEach(() => rig.close());

async function start(script: Script, more: Parameters<typeof limitsRig>[2] = {}): Promise<void> {
  rig = await limitsRig({ eve: {}, ada: { budget: { usd: 1 } }, bob: { limits: { rpm: 1 } } }, script, {
    prices,
    ...more,
  });
}

const entries = (count = 1): Promise<LedgerEntry[]> =>
  waitForEntries(rig.redis, rig.rigs[0]?.tasks.prefix ?? '', count);

async function onlyEntry(): Promise<LedgerEntry> {
  const [entry] = await entries();
  if (!entry) throw new Error('there is one entry');
  return entry;
}

describe('the entry of a text request', () => {
  it.each(['eve', 'ada'])('has the usage and the cost of a relayed response (%s)', async (key) => {
    await start(respondWith('a secret reply'));
    const reply = await rig.post(key, CHAT, chat);
    await reply.text();
    expect(await onlyEntry()).toEqual({
      id: expect.stringMatching(/^led_[0-9a-f]{20}[0-9a-z]{7}$/),
      type: 'request',
      at: expect.closeTo(Date.now(), -5),
      requestId: reply.headers.get('x-request-id'),
      key,
      endpoint: 'POST /v1/chat/completions',
      protocol: 'chat-completions',
      model: 'by-chat',
      upstream: 'chat-completions',
      upstreamModel: 'their-chat-completions',
      isRelayed: true,
      status: 200,
      durationMs: expect.any(Number),
      queueMs: expect.any(Number),
      firstEventMs: expect.any(Number),
      ...PRICED,
    });
  });

  it.each(['eve', 'ada'])('has the same fields for a translated response (%s)', async (key) => {
    await start(respondWith('hello'));
    await (await rig.post(key, '/v1/messages', { ...chat, model: 'by-chat' })).text();
    expect(await onlyEntry()).toMatchObject({
      endpoint: 'POST /v1/messages',
      protocol: 'messages',
      isRelayed: false,
      ...PRICED,
    });
  });

  it('names the fields that the upstream does not receive, in part if they are many', async () => {
    await start(respondWith('hello'));
    const extras = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`x_${index}_`.padEnd(150, 'x'), 1]));
    await (await rig.post('eve', '/v1/messages', { ...chat, top_k: 5 })).text();
    await (await rig.post('eve', '/v1/messages', { ...chat, ...extras })).text();
    const [first, { dropped = [] } = {}] = await entries(2);
    expect(first?.dropped).toEqual(['top_k']);
    expect(dropped).toHaveLength(50);
    expect(Math.max(...dropped.map(({ length }) => length))).toBe(100);
  });

  it('has the time to the first event of a stream', async () => {
    const isDone = Promise.withResolvers<void>();
    await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chatChunk({ content: 'hello' }));
      const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
      void isDone.promise.then(() =>
        response.end(`${chatChunk({}, 'stop')}${chatChunk({}, null, { choices: [], usage })}data: [DONE]\n\n`),
      );
    });
    const reply = await rig.post('ada', CHAT, { ...chat, stream: true, stream_options: { include_usage: true } });
    const begun = performance.now();
    await expect.poll(() => performance.now() - begun, { interval: 10 }).toBeGreaterThan(120);
    isDone.resolve();
    await reply.text();
    const entry = await onlyEntry();
    expect(entry).toMatchObject({ status: 200, ...PRICED });
    expect(entry.durationMs - (entry.firstEventMs ?? Infinity)).toBeGreaterThan(100);
  });

  it('names each attempt if the first upstream failed', async () => {
    const model = {
      id: 'both',
      routes: ['responses', 'chat-completions'].map((upstream) => ({ upstream, model: `m-${upstream}` })),
      ...PRICE,
    };
    await start(
      (request, response) =>
        (request.path.startsWith('/responses') ? failing : respondWith('hello'))(request, response),
      { config: { models: [model] } },
    );
    await (await rig.post('ada', CHAT, { ...chat, model: 'both' })).text();
    expect(await onlyEntry()).toMatchObject({
      model: 'both',
      upstream: 'chat-completions',
      attempts: [
        { upstream: 'responses', upstreamModel: 'm-responses', result: 'provider_overloaded', ms: expect.any(Number) },
        { upstream: 'chat-completions', upstreamModel: 'm-chat-completions', result: 'served' },
      ],
      status: 200,
      ...PRICED,
    });
  });

  it('has the error and no cost if all upstreams failed', async () => {
    await start((_request, response) => sendJson(response, 500, { error: { message: 'down' } }));
    expect((await rig.post('ada', CHAT, chat)).status).toBe(502);
    const entry = await onlyEntry();
    expect(entry).toMatchObject({
      status: 502,
      errorCode: 'provider_error',
      upstream: 'chat-completions',
      upstreamModel: 'their-chat-completions',
      attempts: [{ upstream: 'chat-completions', result: 'provider_error' }],
      costNanos: 0,
    });
    expect(entry).not.toHaveProperty('lines');
    expect(entry).not.toHaveProperty('usage');
  });

  it('has the refusal of a limit, and of a request without a valid model', async () => {
    await start(respondWith('hello'));
    await (await rig.post('bob', CHAT, chat)).text();
    expect((await rig.post('bob', CHAT, chat)).status).toBe(429);
    expect((await rig.post('eve', CHAT, { ...chat, model: 'no such model' })).status).toBe(404);
    expect((await rig.post('eve', CHAT, '{')).status).toBe(400);
    expect((await rig.post('nobody', CHAT, chat)).status).toBe(401);
    const written = await entries(4);
    expect(written.map(({ key, status, errorCode, costNanos }) => [key, status, errorCode, costNanos])).toEqual(
      expect.arrayContaining([
        ['bob', 200, undefined, 7_000],
        ['bob', 429, 'rate_limited', 0],
        ['eve', 404, 'model_not_found', 0],
        ['eve', 400, 'invalid_request', 0],
      ]),
    );
    // A client may send any text as the model, even a prompt.
    expect(JSON.stringify(written)).not.toContain('no such model');
  });

  it('has no cost if the price is unknown', async () => {
    await start(respondWith('hello'), { prices: {} });
    await (await rig.post('eve', CHAT, chat)).text();
    const entry = await onlyEntry();
    expect(entry.usage).toEqual(PRICED.usage);
    expect(entry).not.toHaveProperty('costNanos');
  });
});

describe('the entry of an interrupted request', () => {
  /** The prompt is estimated at 8 tokens. */
  const INPUT = 8;

  it.each(['eve', 'ada'])('costs the input if its client disconnects during the upstream call (%s)', async (key) => {
    await start(() => undefined);
    const controller = new AbortController();
    const reply = rig.post(key, CHAT, chat, controller);
    await expect.poll(() => rig.upstream.requests.length).toBe(1);
    controller.abort();
    await expect(reply).rejects.toThrow();
    const entry = await onlyEntry();
    expect(entry).toMatchObject({
      status: 499,
      errorCode: 'aborted',
      upstream: 'chat-completions',
      upstreamModel: 'their-chat-completions',
      usage: { inputTokens: INPUT, outputTokens: 0 },
      costNanos: INPUT * 1_000,
    });
    expect(entry).not.toHaveProperty('firstEventMs');
    await expect.poll(async () => (await rig.limiter.spending(key)).total).toBe(key === 'ada' ? INPUT * 1_000 : 0);
  });

  it.each(['eve', 'ada'])('costs the output so far if its client leaves a stream (%s)', async (key) => {
    await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chatChunk({ role: 'assistant', content: 'eight ch' }));
    });
    const controller = new AbortController();
    const reply = await rig.post(key, CHAT, { ...chat, stream: true }, controller);
    await reply.body?.getReader().read();
    controller.abort();
    expect(await onlyEntry()).toMatchObject({
      status: 200,
      errorCode: 'aborted',
      usage: { inputTokens: INPUT, outputTokens: 2 },
      costNanos: (INPUT + 2 * 2) * 1_000,
    });
  });

  it.each(['eve', 'ada'])('names the error if the upstream cuts its stream (%s)', async (key) => {
    await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chatChunk({ role: 'assistant', content: 'eight ch' }), () => response.destroy());
    });
    await (await rig.post(key, CHAT, { ...chat, stream: true })).text();
    expect(await onlyEntry()).toMatchObject({
      status: 200,
      errorCode: 'provider_error',
      usage: { inputTokens: INPUT, outputTokens: 2 },
      costNanos: (INPUT + 2 * 2) * 1_000,
    });
  });

  it('has no cost if its client disconnects before an upstream call, and is written once', async () => {
    await start(respondWith('hello'));
    const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-eve-key' };
    const { origin } = rig.rigs[0] ?? {};
    const controller = new AbortController();
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(Buffer.from('{"model":"by-chat"')),
    });
    const { signal } = controller;
    const reply = fetch(`${origin}${CHAT}`, { method: 'POST', headers, body, duplex: 'half', signal });
    await expect.poll(() => rig.rigs[0]?.metrics.render()).toContain('sluice_http_requests_in_flight 1');
    controller.abort();
    await expect(reply).rejects.toThrow();
    expect(await onlyEntry()).toMatchObject({ key: 'eve', status: 499, errorCode: 'aborted', costNanos: 0 });
  });
});

it('contains no prompt and no output', async () => {
  await start(respondWith('a secret reply'));
  await (await rig.post('ada', CHAT, chat)).text();
  await (await rig.post('ada', CHAT, { ...chat, stream: true })).text();
  expect(JSON.stringify(await entries(2))).not.toContain('secret');
});
