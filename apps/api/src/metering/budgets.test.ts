import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { keyOf, type LimitsRig, limitsRig } from '../../test/limits-rig.ts';
import { chatChunk, sendJson } from '../../test/text-rig.ts';
import { message, respondWith } from '../../test/vendor.ts';

const messages = [{ role: 'user', content: 'hi' }];
const chat = { model: 'by-chat', messages, max_tokens: 2 };
const CHAT = '/v1/chat/completions';
const usd = 1e9;
/** Each served request costs a cent. */
const prices = { 'by-chat': { price: { request: 0.01 } } };
/** 3 input tokens and 2 output tokens cost 7 millionths of a dollar. */
const TOKENS = { price: { input: 1, output: 2 } };

let rig: LimitsRig;
afterEach(() => rig.close());

describe('a budget', () => {
  it('serves exactly 50 of 200 concurrent requests over two processes when it covers 50', async () => {
    rig = await limitsRig({ eve: { budget: { usd: 0.5, period: 'day' } } }, respondWith('hello'), {
      processes: 2,
      prices,
    });
    const responses = await rig.sendConcurrently(200, 'eve', CHAT, chat);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(rig.upstream.requests).toHaveLength(50);
    const refused = responses.find(({ status }) => status === 429);
    expect(await refused?.json()).toMatchObject({ error: { code: 'insufficient_quota', type: 'insufficient_quota' } });
    expect(refused?.headers.get('x-should-retry')).toBe('false');
    expect(refused?.headers.get('retry-after')).toBeNull();
    expect(await rig.finalSpending('eve')).toMatchObject({ day: 0.5 * usd, total: 0.5 * usd });
    expect((await rig.post('eve', CHAT, chat)).status).toBe(429);
  });

  it('names the output tokens that it reserves for a request without a limit', async () => {
    const price = { price: { output: 10 } };
    rig = await limitsRig({ eve: { budget: { usd: 0.02, period: 'day' } } }, respondWith('hello'), {
      prices: { 'by-chat': price },
    });
    const refused = await rig.post('eve', CHAT, { model: 'by-chat', messages });
    // The cast is safe because the response is an error in the client's protocol.
    const { error } = (await refused.json()) as { error: { message: string } };
    expect(error.message).toContain('up to $0.04096 (');
    expect(error.message).toContain('4,096 output tokens because `max_tokens` is not set');
    expect(error.message).toContain('$0.02 of the $0.02 daily budget');
    expect((await rig.post('eve', CHAT, chat)).status).toBe(200);
  });

  it('releases the reservations of failed requests', async () => {
    let failing = true;
    const script = respondWith('hello');
    rig = await limitsRig(
      { eve: { budget: { usd: 0.05 } } },
      (request, response) => (failing ? sendJson(response, 500, {}) : script(request, response)),
      { prices, config: { routing: { failures: 100 } } },
    );
    expect((await rig.sendConcurrently(5, 'eve', CHAT, chat)).map(({ status }) => status)).toEqual(Array(5).fill(502));
    expect(await rig.finalSpending('eve')).toMatchObject({ total: 0 });
    failing = false;
    const responses = await rig.sendConcurrently(20, 'eve', CHAT, chat);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(await rig.finalSpending('eve')).toMatchObject({ total: 0.05 * usd });
  });

  it.each([
    [CHAT, chat],
    [CHAT, { ...chat, stream: true }],
    ['/v1/messages', { model: 'by-messages', messages, max_tokens: 40 }],
    ['/v1/messages', { model: 'by-messages', messages, max_tokens: 40, stream: true }],
    ['/v1/messages', { model: 'by-chat', messages, max_tokens: 40, stream: true }],
    ['/v1/responses', { model: 'by-responses', input: 'hi' }],
    ['/v1/responses', { model: 'by-chat', input: 'hi', stream: true }],
    ['/v1/completions', { model: 'by-chat', prompt: 'hi' }],
    ['/v1beta/models/by-gemini:streamGenerateContent', { contents: [{ parts: [{ text: 'hi' }] }] }],
  ])('is charged at %s for the reported usage', async (path, body) => {
    const all = { 'by-chat': TOKENS, 'by-messages': TOKENS, 'by-responses': TOKENS, 'by-gemini': TOKENS };
    rig = await limitsRig({ eve: { budget: { usd: 1, period: 'total' } } }, respondWith('hello'), { prices: all });
    const reply = await rig.post('eve', path, body);
    expect(reply.status).toBe(200);
    await reply.text();
    await expect.poll(async () => (await rig.limiter.spending('eve')).total).toBe(7_000);
    expect(await rig.finalSpending('eve')).toMatchObject({ reserved: 0 });
  });

  it('is charged for a background response once it is complete', async () => {
    rig = await limitsRig({ eve: { budget: { usd: 1 } } }, respondWith('hello'), { prices: { 'by-chat': TOKENS } });
    await rig.startWorker();
    const reply = await rig.post('eve', '/v1/responses', { model: 'by-chat', input: 'hi', background: true });
    expect(await reply.json()).toMatchObject({ status: 'queued' });
    await expect.poll(async () => (await rig.limiter.spending('eve')).total).toBe(7_000);
    expect(await rig.finalSpending('eve')).toMatchObject({ reserved: 0 });
  });

  it('releases the reservation of a failed background response', async () => {
    rig = await limitsRig({ eve: { budget: { usd: 1 } } }, (_request, response) => sendJson(response, 500, {}), {
      prices: { 'by-chat': TOKENS },
    });
    await rig.startWorker();
    await (await rig.post('eve', '/v1/responses', { model: 'by-chat', input: 'hi', background: true })).text();
    await expect.poll(() => rig.upstream.requests.length).toBeGreaterThan(0);
    expect(await rig.finalSpending('eve')).toMatchObject({ reserved: 0, total: 0 });
  });

  it('is charged for the input and the output so far when a client disconnects from a stream', async () => {
    let open: ServerResponse | undefined;
    const output = 'a word and another one'; // 22 characters: 6 tokens
    rig = await limitsRig(
      { eve: { budget: { usd: 1 }, limits: { tpm: 100_000 } } },
      (_request, response) => {
        open = response;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(chatChunk({ role: 'assistant', content: output }));
      },
      { prices: { 'by-chat': TOKENS } },
    );
    const controller = new AbortController();
    const reply = await rig.post(
      'eve',
      CHAT,
      { ...chat, max_tokens: 500, stream: true },
      { signal: controller.signal },
    );
    await reply.body?.getReader().read();
    controller.abort();
    const { total } = await rig.finalSpending('eve');
    // The message is estimated at 5 tokens.
    expect(total).toBe((5 + 2 * 6) * 1_000);
    await expect.poll(() => rig.tokens('eve')).toBe(5 + 6);
    open?.destroy();
  });

  it.each([
    // Input tokens as reported by the upstream, or estimated if no event has reported them yet.
    [7, '/v1/messages', { model: 'by-messages', messages, max_tokens: 500 }],
    [5, CHAT, { ...chat, model: 'by-messages', max_tokens: 500 }],
    [1, '/v1/completions', { model: 'by-messages', prompt: 'hi', max_tokens: 500 }],
  ])('is charged for %d tokens and the output so far when a stream breaks off at %s', async (input, path, body) => {
    const text = 'a word and another one'; // 22 characters: 6 tokens
    rig = await limitsRig(
      { eve: { budget: { usd: 1 } } },
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const usage = { input_tokens: 7, output_tokens: 1 };
        const start = { ...message([]), stop_reason: null, usage };
        for (const event of [
          { type: 'message_start', message: start },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        ]) {
          response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
        }
        const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } };
        response.write(`event: ${delta.type}\ndata: ${JSON.stringify(delta)}\n\n`, () => response.destroy());
      },
      { prices: { 'by-messages': TOKENS } },
    );
    const reply = await rig.post('eve', path, { ...body, stream: true });
    expect(await reply.text()).toContain(text);
    expect((await rig.finalSpending('eve')).total).toBe((input + 2 * 6) * 1_000);
  });

  it('is charged for the input of a canceled background response', async () => {
    rig = await limitsRig({ eve: { budget: { usd: 1 } } }, () => undefined, {
      prices: { 'by-chat': { price: { input: 1, output: 2, request: 0.01 } } },
    });
    await rig.startWorker();
    const body = { model: 'by-chat', input: 'hi', background: true, max_output_tokens: 500 };
    const { id } = (await (await rig.post('eve', '/v1/responses', body)).json()) as { id: string };
    await expect.poll(() => rig.upstream.requests.length).toBe(1);
    expect((await rig.post('eve', `/v1/responses/${id}/cancel`, {})).status).toBe(200);
    // The message is estimated at 5 tokens.
    const spent = async () => (await rig.limiter.spending('eve')).total;
    await expect.poll(spent).toBe(0.01 * usd + 5_000);
    expect(await rig.finalSpending('eve')).toMatchObject({ reserved: 0 });
  });

  it.each([
    ['canceled', 'POST', '/cancel'],
    ['deleted', 'DELETE', ''],
  ])('releases the reservation of a background response that is %s while it waits', async (_, method, suffix) => {
    rig = await limitsRig({ eve: { budget: { usd: 1 } } }, respondWith('hello'), { prices: { 'by-chat': TOKENS } });
    const body = { model: 'by-chat', input: 'hi', background: true, max_output_tokens: 500 };
    const { id } = (await (await rig.post('eve', '/v1/responses', body)).json()) as { id: string };
    expect((await rig.limiter.spending('eve')).reserved).toBe(1_005_000);
    const at = `${rig.rigs[0]?.origin}/v1/responses/${id}${suffix}`;
    expect((await fetch(at, { method, headers: { authorization: `Bearer ${keyOf('eve')}` } })).status).toBe(200);
    expect(await rig.finalSpending('eve')).toMatchObject({ total: 0 });
  });

  it('is charged for a stream that broke off', async () => {
    rig = await limitsRig(
      { eve: { budget: { usd: 1 } } },
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(chatChunk({ role: 'assistant', content: 'four' }), () => response.destroy());
      },
      { prices: { 'by-chat': TOKENS } },
    );
    const reply = await rig.post('eve', CHAT, { ...chat, max_tokens: 500, stream: true });
    expect(await reply.text()).toContain('four');
    expect((await rig.finalSpending('eve')).total).toBe((5 + 2 * 1) * 1_000);
  });

  it.each([
    [
      '/v1/messages',
      { model: 'by-chat', messages, max_tokens: 9 },
      { error: { details: { error_code: 'insufficient_quota' } } },
    ],
    [
      '/v1beta/models/by-chat:generateContent',
      { contents: [{ parts: [{ text: 'hi' }] }] },
      { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } },
    ],
    ['/v1/videos', { model: 'priced-video', prompt: 'hi' }, { error: { code: 'insufficient_quota' } }],
    ['/kling/v1/videos/text2video', { model_name: 'priced-video', prompt: 'hi' }, { code: 1102 }],
    [
      '/provider-b/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31',
      { req_key: 'priced-video', prompt: 'hi' },
      { code: 50_400 },
    ],
  ])("is reported as spent at %s in the protocol's format, and as not retryable", async (path, body, shape) => {
    rig = await limitsRig({ eve: { budget: { usd: 0.001 } } }, respondWith('hello'), {
      prices: { ...prices, 'priced-video': { price: { request: 1 } } },
    });
    const refused = await rig.post('eve', path, body);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect(await refused.json()).toMatchObject(shape);
    expect(rig.upstream.requests).toEqual([]);
    expect(await rig.rigs[0]?.tasks.engine.list('eve', { kind: 'video', limit: 9, order: 'asc' })).toMatchObject({
      tasks: [],
    });
  });

  it('does not limit models without a price', async () => {
    rig = await limitsRig({ eve: { budget: { usd: 0.01 } } }, respondWith('hello'), { prices });
    await rig.sendConcurrently(3, 'eve', CHAT, chat);
    expect((await rig.post('eve', '/v1/messages', { model: 'by-messages', messages, max_tokens: 9 })).status).toBe(200);
  });
});

describe('limits of videos', () => {
  const video = { model: 'priced-video', prompt: 'a kite' };

  it('reserve the price until a video has ended, and charge the actual one', async () => {
    rig = await limitsRig({ eve: { budget: { usd: 1 } } }, respondWith('hello'), {
      prices: { 'priced-video': { price: { video_second: 0.1 } } },
    });
    const [api] = rig.rigs;
    const created = await rig.post('eve', '/v1/videos', video);
    expect(created.status).toBe(200);
    // Six seconds, the model's default, are reserved, but the scripted vendor generates four.
    expect(await rig.limiter.spending('eve')).toMatchObject({ reserved: 0.6 * usd, total: 0 });
    expect((await rig.post('eve', '/v1/videos', video)).status).toBe(429);
    await api?.tasks.startWorker();
    expect(await rig.finalSpending('eve')).toMatchObject({ total: 0.4 * usd });
  });

  it('allow as many unfinished tasks as configured under concurrent requests', async () => {
    rig = await limitsRig({ eve: { limits: { open_tasks: 3 } } }, respondWith('hello'));
    const responses = await rig.sendConcurrently(12, 'eve', '/v1/videos', video);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.headers.get('x-should-retry')).toBe('true');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused?.json()).toMatchObject({
      error: { code: 'rate_limited', message: expect.stringContaining('3') as unknown },
    });
  });

  it('return the existing task for a repeated Idempotency-Key even at the limit', async () => {
    rig = await limitsRig({ eve: { limits: { open_tasks: 1 } } }, respondWith('hello'));
    const [api] = rig.rigs;
    const create = () => api?.create(video, { 'idempotency-key': 'k' }, keyOf('eve'));
    const first = (await (await create())?.json()) as { id: string };
    expect(await (await create())?.json()).toMatchObject({ id: first.id });
    expect((await rig.post('eve', '/v1/videos', video)).status).toBe(429);
  });

  it('run as many tasks at vendors as configured, and queue the others', async () => {
    rig = await limitsRig({ eve: { limits: { concurrent_tasks: 2 } } }, respondWith('hello'));
    const [api] = rig.rigs;
    const responses = await rig.sendConcurrently(8, 'eve', '/v1/videos', video);
    const tasks = (await Promise.all(responses.map((reply) => reply.json()))) as { id: string }[];
    await api?.tasks.startWorker();
    for (const { id } of tasks) {
      const status = async () => (await api?.tasks.engine.find('eve', id))?.status;
      await expect.poll(status).toBe('completed');
    }
    expect(api?.tasks.vendor.running.max).toBe(2);
  });
});
