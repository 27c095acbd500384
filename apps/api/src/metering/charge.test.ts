import { testRedis } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { type LimitsRig, limitsRig } from '../../test/limits-rig.ts';
import { startPausableRedis } from '../../test/pausable-redis.ts';
import { chatChunk, chatResponse, type Script, sendJson } from '../../test/text-rig.ts';
import { modelResponse, respondWith } from '../../test/vendor.ts';

const usd = 1e9;
const PATIENT = { timeout: 10_000 };
const CHAT = '/v1/chat/completions';
const chat = { model: 'by-chat', messages: [{ role: 'user', content: 'hi' }], max_tokens: 2 };
/** The prompt `hi` is estimated at 5 tokens. */
const HI = 5;
const PRICE = { price: { input: 1, output: 2, request: 0.01 } };
const prices = { 'by-chat': PRICE, 'by-responses': PRICE };
/** The cost of the given tokens at {@link PRICE}. */
const cost = (input: number, output: number) => 0.01 * usd + (input + 2 * output) * 1_000;
const eve = { eve: { budget: { usd: 1 } } };

let rig: LimitsRig;
afterEach(() => rig.close());

async function expectSpent(nanos: number): Promise<void> {
  await expect.poll(async () => (await rig.limiter.spending('eve')).total, PATIENT).toBe(nanos);
  expect(await rig.finalSpending('eve')).toMatchObject({ total: nanos });
}

/** A vendor's chat response without usage. */
function withoutUsage(): object {
  return { ...(chatResponse('hello') as object), usage: undefined };
}

/** Retrieves a response that its vendor stores. */
async function read(rest = '', method = 'GET'): Promise<void> {
  const { origin } = rig.rigs[0] ?? {};
  const headers = { authorization: 'Bearer sk-eve-key' };
  const reply = await fetch(`${origin}/v1/responses/resp_slow${rest}`, { method, headers });
  expect(reply.status).toBe(200);
  await reply.text();
}

/** Responds to every prompt except the last one. */
function failing(reply: object): Script {
  return ({ raw }, response) =>
    raw.includes('prompt 11') ? sendJson(response, 400, { error: { message: 'no' } }) : sendJson(response, 200, reply);
}

describe('a background response', () => {
  const params = { model: 'by-chat', input: 'hi', background: true, max_output_tokens: 500 };

  it('costs its reservation if the upstream reports no usage', async () => {
    const chunks = `${chatChunk({ tool_calls: [] })}${chatChunk({}, 'stop')}data: [DONE]\n\n`;
    const type = { 'content-type': 'text/event-stream' };
    rig = await limitsRig(eve, (_request, response) => void response.writeHead(200, type).end(chunks), { prices });
    await rig.startWorker();
    await (await rig.post('eve', '/v1/responses', params)).text();
    await expectSpent(cost(HI, 500));
  });

  it('is reserved and charged once if its request is repeated', async () => {
    rig = await limitsRig({ eve: { budget: { usd: 0.015 } } }, respondWith('hello'), { prices });
    const headers = { authorization: 'Bearer sk-eve-key', 'idempotency-key': 'x', 'content-type': 'application/json' };
    const post = () =>
      fetch(`${rig.rigs[0]?.origin}/v1/responses`, { method: 'POST', headers, body: JSON.stringify(params) });
    for (const status of [200, 200]) expect((await post()).status).toBe(status);
    expect(await rig.limiter.spending('eve')).toMatchObject({ reserved: cost(HI, 500), total: 0 });
    await rig.startWorker();
    await expectSpent(cost(3, 2));
  });

  it('is charged once if its worker stops during the upstream call', async () => {
    rig = await limitsRig(eve, () => undefined, { prices });
    const worker = await rig.startWorker();
    await (await rig.post('eve', '/v1/responses', params)).text();
    await expect.poll(() => rig.upstream.requests.length, PATIENT).toBe(1);
    await worker.close();
    expect(await rig.limiter.spending('eve')).toMatchObject({ reserved: cost(HI, 500), total: 0 });
    rig.upstream.script = respondWith('hello');
    await rig.startWorker();
    await expectSpent(cost(3, 2));
  });

  it('costs its usage if its client disconnects before it is queued', async () => {
    const proxy = await startPausableRedis(testRedis().redisUrl);
    rig = await limitsRig(eve, respondWith('hello'), { prices, redisUrl: proxy.url });
    await rig.startWorker();
    proxy.pause('response.queued');
    const controller = new AbortController();
    const reply = rig.post('eve', '/v1/responses', params, controller);
    await expect.poll(() => proxy.pausedReplies(), PATIENT).toBeGreaterThan(0);
    controller.abort();
    await expect(reply).rejects.toThrow();
    await expect.poll(() => rig.rigs[0]?.logs(), PATIENT).toContain('"aborted":true');
    proxy.resume();
    await expectSpent(cost(3, 2));
    await proxy.cut();
  });

  it('costs nothing and does not start if it cannot be recorded', async () => {
    const proxy = await startPausableRedis(testRedis().redisUrl);
    rig = await limitsRig(eve, respondWith('hello'), { prices, redisUrl: proxy.url, redisTimeoutMs: 1_000 });
    proxy.pause('response.queued');
    expect((await rig.post('eve', '/v1/responses', params)).status).toBe(503);
    proxy.resume();
    await expectSpent(0);
    expect(rig.upstream.requests).toEqual([]);
    await proxy.cut();
  });
});

describe('a background response at its vendor', () => {
  const params = { model: 'by-responses', input: 'hi', background: true, max_output_tokens: 500 };
  const usage = { input_tokens: 9, output_tokens: 900, total_tokens: 909 };
  let open: (() => void) | undefined;
  afterEach(() => open?.());

  /** Returns a queued response, buffered or as an open stream. Later reads receive the result of `later`. */
  function vendor(later: () => object): Script {
    const queued = modelResponse('resp_slow', '', { status: 'queued', output: [], usage: null });
    return ({ path, body }, response) => {
      if (!path.endsWith('/responses')) return sendJson(response, 200, later());
      if (body['stream'] !== true) return sendJson(response, 200, queued);
      open = () => response.destroy();
      const event = { type: 'response.created', sequence_number: 0, response: { ...queued, status: 'in_progress' } };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    };
  }
  const done = () => modelResponse('resp_slow', 'at last', { usage });
  it('costs its reservation if its client disconnects from the stream, because the vendor completes it', async () => {
    rig = await limitsRig(eve, vendor(done), { prices });
    const controller = new AbortController();
    const reply = await rig.post('eve', '/v1/responses', { ...params, stream: true }, controller);
    await reply.body?.getReader().read();
    controller.abort();
    await expectSpent(cost(HI, 500));
    await read();
    await expectSpent(cost(9, 900));
  });

  it('costs its usage once, as soon as that can be read', async () => {
    let state: object = modelResponse('resp_slow', '', { status: 'in_progress', output: [], usage: null });
    rig = await limitsRig(
      { eve: { ...eve.eve, limits: { tpm: 100_000 } } },
      vendor(() => state),
      { prices },
    );
    await (await rig.post('eve', '/v1/responses', params)).text();
    await expectSpent(cost(HI, 500));
    await read();
    await expectSpent(cost(HI, 500));
    state = done();
    await Promise.all([read(), read('/cancel', 'POST'), read()]);
    await expectSpent(cost(9, 900));
    await expect.poll(() => rig.tokens('eve'), PATIENT).toBe(9 + 900);
    const keys = (of: string) => rig.redis.keys(`{${rig.rigs[0]?.tasks.prefix}}:${of}:*`);
    // Simulates a delay of one minute.
    await rig.redis.del(...(await keys('settled')));
    await read();
    await read('/input_items');
    await expectSpent(cost(9, 900));
  });

  it('is charged once even if its record is restored, with the same retention', async () => {
    rig = await limitsRig(eve, vendor(done), { prices });
    await (await rig.post('eve', '/v1/responses', params)).text();
    await expectSpent(cost(HI, 500));
    const keys = (of: string) => rig.redis.keys(`{${rig.rigs[0]?.tasks.prefix}}:${of}:*`);
    const [record = ''] = await keys('text:response');
    await rig.redis.pexpire(record, 100_000);
    const before = await rig.redis.dumpBuffer(record);
    await read();
    await expectSpent(cost(9, 900));
    const leftMs = await rig.redis.pttl(record);
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(100_000);
    // Simulates a Redis failure right after the charge, and another read one minute later.
    await rig.redis.restore(record, leftMs, before, 'REPLACE');
    await rig.redis.del(...(await keys('settled')));
    await read();
    await new Promise((resolve) => setTimeout(resolve, 200));
    await expectSpent(cost(9, 900));
  });

  it('never costs more than its reservation if it used less', async () => {
    const less = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
    rig = await limitsRig(
      eve,
      vendor(() => modelResponse('resp_slow', 'short', { usage: less })),
      { prices },
    );
    await (await rig.post('eve', '/v1/responses', params)).text();
    await read();
    await expectSpent(cost(HI, 500));
  });

  it('costs nothing more if its stream reported usage', async () => {
    const event = { type: 'response.completed', sequence_number: 1, response: done() };
    rig = await limitsRig(
      eve,
      ({ path }, response) => {
        if (!path.endsWith('/responses')) return sendJson(response, 200, done());
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      },
      { prices },
    );
    await (await rig.post('eve', '/v1/responses', { ...params, stream: true })).text();
    await expectSpent(cost(9, 900));
    await read();
    await expectSpent(cost(9, 900));
  });

  it('costs the output so far if its vendor reports a failure in the stream', async () => {
    const failed = modelResponse('resp_slow', '', { status: 'failed', usage: null, error: { code: 'server_error' } });
    const events = [
      { type: 'response.created', response: { ...failed, status: 'in_progress', error: null } },
      { type: 'response.output_text.delta', delta: 'a word and another one' }, // 6 tokens
      { type: 'response.failed', response: failed },
    ].map((event, at) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`);
    const saw = Promise.withResolvers<void>();
    rig = await limitsRig(
      eve,
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(events.slice(0, 2).join(''));
        void saw.promise.then(() => response.end(events[2]));
      },
      { prices },
    );
    const reply = await rig.post('eve', '/v1/responses', { ...params, stream: true });
    saw.resolve();
    expect(await reply.text()).toContain('response.failed');
    await expectSpent(cost(HI, 6));
  });
});

describe('a legacy completion of several prompts', () => {
  const prompt = Array.from({ length: 12 }, (_, index) => `prompt ${index}`);

  it.each([
    // The last prompt was sent concurrently with three others, which succeeded.
    [11 * 3, 11 * 2, chatResponse('hello') as object],
    // Costs the reservation: the last two prompts are estimated at 3 tokens each.
    [10 * 2 + 2 * 3, 12 * 2, withoutUsage()],
  ])(
    'that fails at the last prompt costs the usage of the others: %d tokens in, %d out',
    async (input, output, reply) => {
      rig = await limitsRig(eve, failing(reply), { prices });
      const params = { model: 'by-chat', prompt, max_tokens: 2 };
      expect((await rig.post('eve', '/v1/completions', params)).status).toBe(400);
      await expectSpent(cost(input, output));
    },
  );
});

describe('a disconnected client', () => {
  it('is not charged before an upstream call', async () => {
    const proxy = await startPausableRedis(testRedis().redisUrl);
    rig = await limitsRig(eve, respondWith('hello'), { prices, redisUrl: proxy.url });
    for (const [at, body] of [
      [CHAT, chat],
      ['/v1/embeddings', { model: 'by-chat', input: 'hi' }],
    ] as const) {
      const before = rig.rigs[0]?.logs().split('"aborted":true').length;
      proxy.pause('fare_');
      const controller = new AbortController();
      const reply = rig.post('eve', at, body, controller);
      await expect.poll(() => proxy.pausedReplies(), PATIENT).toBeGreaterThan(0);
      controller.abort();
      await expect(reply).rejects.toThrow();
      await expect.poll(() => rig.rigs[0]?.logs().split('"aborted":true').length, PATIENT).not.toBe(before);
      proxy.resume();
      await expectSpent(0);
    }
    expect(rig.upstream.requests).toEqual([]);
    await proxy.cut();
  });

  it.each([
    [CHAT, chat, HI],
    ['/v1/embeddings', { model: 'by-chat', input: 'a kite over the sea' }, 5],
  ])('is charged at %s for the input once an upstream has been called', async (at, body, tokens) => {
    rig = await limitsRig(eve, () => undefined, { prices });
    const controller = new AbortController();
    const reply = rig.post('eve', at, body, controller);
    await expect.poll(() => rig.upstream.requests.length, PATIENT).toBe(1);
    controller.abort();
    await expect(reply).rejects.toThrow();
    await expectSpent(cost(tokens, 0));
  });
});
