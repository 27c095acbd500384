import { afterEach, describe, expect, it } from 'vitest';
import { type LimitsRig, limitsRig } from '../../test/limits-rig.ts';
import { respondWith } from '../../test/vendor.ts';

const messages = [{ role: 'user', content: 'hi' }];
const chat = { model: 'by-chat', messages };
const CHAT = '/v1/chat/completions';
const CONTENT = '/v1beta/models/by-gemini:generateContent';
const gemini = (generationConfig: object) => ({ contents: [{ parts: [{ text: 'hi' }] }], generationConfig });

let rig: LimitsRig;
afterEach(() => rig.close());

describe('requests a minute', () => {
  it('are exact over two processes: 50 of 200 concurrent requests are served, and the others get a retry time', async () => {
    rig = await limitsRig({ eve: { limits: { rpm: 50 } } }, respondWith('hello'), { processes: 2 });
    const responses = await rig.sendConcurrently(200, 'eve', CHAT, chat);
    const refused = responses.filter(({ status }) => status === 429);
    expect([responses.filter(({ status }) => status === 200).length, refused.length]).toEqual([50, 150]);
    expect(rig.upstream.requests).toHaveLength(50);
    const [first] = refused;
    expect(await first?.json()).toMatchObject({ error: { code: 'rate_limit_exceeded', type: 'rate_limit_error' } });
    expect(first?.headers.get('x-should-retry')).toBe('true');
    const seconds = Number(first?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(61);
    expect(Math.ceil(Number(first?.headers.get('retry-after-ms')) / 1_000)).toBe(seconds);
    expect(first?.headers.get('x-ratelimit-remaining-requests')).toBe('0');
  });

  it('are reported in the headers of every response, buffered or streamed', async () => {
    rig = await limitsRig({ eve: { limits: { rpm: 9, tpm: 90_000 } } }, respondWith('hello'));
    const served = await rig.post('eve', CHAT, chat);
    expect(Object.fromEntries([...served.headers].filter(([name]) => name.includes('ratelimit')))).toEqual({
      'x-ratelimit-limit-requests': '9',
      'x-ratelimit-remaining-requests': '8',
      'x-ratelimit-reset-requests': expect.stringMatching(/^(1m[\d.]+|60)s$/) as unknown,
      'x-ratelimit-limit-tokens': '90000',
      'x-ratelimit-remaining-tokens': expect.stringMatching(/^8\d{4}$/) as unknown,
      'x-ratelimit-reset-tokens': expect.stringMatching(/^(1m[\d.]+|60)s$/) as unknown,
    });
    const streamed = await rig.post('eve', CHAT, { ...chat, stream: true });
    expect(streamed.headers.get('x-ratelimit-remaining-requests')).toBe('7');
    await streamed.text();
    const message = await rig.post('eve', '/v1/messages', { model: 'by-messages', messages, max_tokens: 9 });
    expect(message.headers.get('anthropic-ratelimit-requests-remaining')).toBe('6');
    expect(message.headers.get('anthropic-ratelimit-tokens-limit')).toBe('90000');
    const reset = message.headers.get('anthropic-ratelimit-requests-reset') ?? '';
    expect(reset).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(Math.abs(Date.parse(reset) - Date.now())).toBeLessThan(180_000);
    expect(message.headers.get('x-ratelimit-limit-requests')).toBeNull();
  });

  it.each([
    [CHAT, chat, { error: { code: 'rate_limit_exceeded' } }],
    ['/v1/completions', { model: 'by-chat', prompt: 'hi' }, { error: { code: 'rate_limit_exceeded' } }],
    ['/v1/responses', { model: 'by-chat', input: 'hi' }, { error: { code: 'rate_limit_exceeded' } }],
    ['/v1/responses/compact', { model: 'by-chat', input: 'hi' }, { error: { code: 'rate_limit_exceeded' } }],
    [
      '/v1/messages',
      { model: 'by-messages', messages, max_tokens: 9 },
      { type: 'error', error: { type: 'rate_limit_error', details: { error_code: 'rate_limited' } } },
    ],
    [
      '/v1beta/models/by-gemini:generateContent',
      { contents: [{ parts: [{ text: 'hi' }] }] },
      { error: { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: expect.any(String) as unknown }] } },
    ],
    ['/v1/embeddings', { model: 'by-chat', input: 'hi' }, { error: { code: 'rate_limited' } }],
    ['/v1/videos', { model: 'priced-video', prompt: 'hi' }, { error: { code: 'rate_limited' } }],
    ['/kling/v1/videos/text2video', { model_name: 'priced-video', prompt: 'hi' }, { code: 1302 }],
    [
      '/provider-b/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31',
      { req_key: 'priced-video', prompt: 'hi' },
      { code: 50_429, status: 50_429 },
    ],
  ])("are enforced at %s in the protocol's error format", async (path, body, shape) => {
    rig = await limitsRig({ eve: { limits: { rpm: 1 } } }, respondWith('hello'));
    await (await rig.post('eve', CHAT, chat)).text();
    const served = rig.upstream.requests.length;
    const refused = await rig.post('eve', path, body);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject(shape);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(rig.upstream.requests).toHaveLength(served);
    expect(await rig.rigs[0]?.taskIds()).toEqual([]);
  });

  it('do not count requests without a model call, nor invalid ones', async () => {
    rig = await limitsRig({ eve: { limits: { rpm: 1 } } }, respondWith('hello'));
    expect((await rig.post('eve', CHAT, { model: 'by-chat' })).status).toBe(400);
    expect((await rig.post('eve', CHAT, { ...chat, model: 'unknown' })).status).toBe(404);
    expect((await rig.post('eve', '/v1/messages/count_tokens', { model: 'by-chat', messages })).status).toBe(200);
    expect((await rig.post('eve', CHAT, chat)).status).toBe(200);
    expect((await rig.post('eve', CHAT, chat)).status).toBe(429);
  });

  it('are separate for each key, and a key without limits leaves nothing in Redis and gets no headers', async () => {
    rig = await limitsRig({ eve: { limits: { rpm: 1 } }, free: {} }, respondWith('hello'));
    await rig.sendConcurrently(3, 'eve', CHAT, chat);
    for (const reply of await rig.sendConcurrently(3, 'free', CHAT, chat)) {
      expect(reply.status).toBe(200);
      expect([...reply.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
    }
    expect(await rig.redis.keys('*:rate:free')).toEqual([]);
  });
});

describe('tokens a minute', () => {
  it.each([
    ['the larger of two limits', CHAT, { ...chat, max_completion_tokens: 1, max_tokens: 400 }],
    ['every choice', CHAT, { ...chat, max_tokens: 40, n: 9 }],
    ['a request that cannot be decoded', CHAT, { ...chat, max_tokens: 400, response_format: { type: 'new' } }],
    [
      'every choice of a request that cannot be decoded',
      CHAT,
      { ...chat, max_tokens: 40, n: 9, response_format: { type: 'new' } },
    ],
    ['snake_case fields', CONTENT, { ...gemini({}), generation_config: { max_output_tokens: 400 } }],
    ['candidates', CONTENT, gemini({ maxOutputTokens: 40, candidateCount: 9 })],
    ['a limit sent as text', CONTENT, gemini({ maxOutputTokens: '400' })],
  ])('are reserved for %s in any request format', async (_what, path, body) => {
    rig = await limitsRig({ eve: { limits: { tpm: 100 } } }, respondWith('hello'));
    expect((await rig.post('eve', path, body)).status).toBe(429);
    expect(rig.upstream.requests).toEqual([]);
  });

  it.each([-1_000_000, 0])('are unchanged by a reported usage of %d tokens', async (bound) => {
    rig = await limitsRig({ eve: { limits: { tpm: 100 }, budget: { usd: 1 } } }, respondWith('hello'));
    for (const [path, body] of [
      ['/v1/responses', { model: 'by-responses', input: 'hi', max_output_tokens: bound }],
      ['/v1/messages', { model: 'by-messages', messages, max_tokens: bound }],
    ] as const) {
      expect((await rig.post('eve', path, body)).status).toBe(400);
    }
    for (const [path, body] of [
      [CHAT, { ...chat, max_tokens: bound }],
      [CONTENT, gemini({ maxOutputTokens: bound })],
      ['/v1/completions', { model: 'by-chat', prompt: 'hi', max_tokens: bound }],
    ] as const) {
      await (await rig.post('eve', path, body)).text();
      await expect.poll(() => rig.tokens('eve')).toBeGreaterThanOrEqual(0);
    }
  });

  it('are reserved first and replaced by the actual usage', async () => {
    rig = await limitsRig({ eve: { limits: { tpm: 100 } } }, respondWith('hello'));
    const responses = await rig.sendConcurrently(4, 'eve', CHAT, { ...chat, max_tokens: 40 });
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(2);
    // The upstream reports 3 input and 2 output tokens per request.
    await expect.poll(() => rig.tokens('eve')).toBe(10);
  });

  it.each([
    [CHAT, { ...chat, max_tokens: 40 }],
    ['/v1/messages', { model: 'by-messages', messages, max_tokens: 40 }],
    ['/v1/responses', { model: 'by-responses', input: 'hi', max_output_tokens: 40 }],
    ['/v1/responses', { model: 'by-chat', input: 'hi', max_output_tokens: 40 }],
    ['/v1/messages', { model: 'by-chat', messages, max_tokens: 40 }],
    ['/v1/completions', { model: 'by-chat', prompt: 'hi', max_tokens: 40 }],
  ])('of a stream at %s are counted from its final usage', async (path, body) => {
    rig = await limitsRig({ eve: { limits: { tpm: 1_000 } } }, respondWith('hello'));
    const reply = await rig.post('eve', path, { ...body, stream: true });
    expect(await reply.text()).toContain('hello');
    await expect.poll(() => rig.tokens('eve')).toBe(5);
  });

  it('are released if no upstream could serve the request', async () => {
    rig = await limitsRig({ eve: { limits: { tpm: 1_000 } } }, (_request, response) => response.writeHead(500).end());
    expect((await rig.post('eve', CHAT, { ...chat, max_tokens: 40 })).status).toBe(502);
    await expect.poll(() => rig.tokens('eve')).toBe(0);
  });

  it('reject a request that exceeds the limit by itself, but no request without an output limit', async () => {
    rig = await limitsRig({ eve: { limits: { tpm: 100 } } }, respondWith('hello'));
    const large = await rig.post('eve', CHAT, { ...chat, max_tokens: 400 });
    expect(large.status).toBe(429);
    expect(large.headers.get('x-should-retry')).toBe('false');
    expect((await rig.post('eve', CHAT, chat)).status).toBe(200);
  });
});

it('text requests of limited keys are rejected while Redis is reachable but cannot count', async () => {
  rig = await limitsRig({ eve: { limits: { rpm: 1 } }, free: {} }, respondWith('hello'));
  const rates = `{${rig.rigs[0]?.tasks.prefix}}:rate:eve`;
  await rig.redis.set(rates, 'no hash');
  const refused = await rig.post('eve', CHAT, chat);
  expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([503, 'true']);
  expect(await refused.json()).toMatchObject({ error: { code: 'store_unavailable' } });
  expect(rig.upstream.requests).toEqual([]);
  expect(rig.rigs[0]?.logs()).toContain('limits could not be counted');
  expect((await rig.post('free', CHAT, chat)).status).toBe(200);
  await rig.redis.del(rates);
  expect((await rig.post('eve', CHAT, chat)).status).toBe(200);
});

it('text requests of limited keys are served without limits while Redis is unreachable', async () => {
  rig = await limitsRig({ eve: { limits: { rpm: 1 }, budget: { usd: 1 } } }, respondWith('hello'), {
    redisUrl: 'redis://127.0.0.1:1',
  });
  const responses = await rig.sendConcurrently(5, 'eve', CHAT, chat);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(rig.rigs[0]?.logs()).toContain('limits are not enforced: redis is unavailable');
});
