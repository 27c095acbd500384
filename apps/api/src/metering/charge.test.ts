import { testRedis } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { type LimitsRig, limitsRig } from '../../test/limits-rig.ts';
import { startPausableRedis } from '../../test/pausable-redis.ts';
import { chatChunk, chatResponse, type Script, sendJson } from '../../test/text-rig.ts';
import { respondWith } from '../../test/vendor.ts';

const usd = 1e9;
const CHAT = '/v1/chat/completions';
const chat = { model: 'by-chat', messages: [{ role: 'user', content: 'hi' }], max_tokens: 2 };
/** The prompt `hi` is estimated at 5 tokens. */
const HI = 5;
const PRICE = { price: { input: 1, output: 2, request: 0.01 } };
const prices = { 'by-chat': PRICE };
/** The cost of the given tokens at {@link PRICE}. */
const cost = (input: number, output: number) => 0.01 * usd + (input + 2 * output) * 1_000;
const eve = { eve: { budget: { usd: 1 } } };

let rig: LimitsRig;
afterEach(() => rig.close());

async function expectSpent(nanos: number): Promise<void> {
  await expect.poll(async () => (await rig.limiter.spending('eve')).total).toBe(nanos);
  expect(await rig.finalSpending('eve')).toMatchObject({ total: nanos });
}

/** A vendor's chat response without usage. */
function withoutUsage(): object {
  return { ...(chatResponse('hello') as object), usage: undefined };
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
    await expect.poll(() => rig.upstream.requests.length).toBe(1);
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
    await expect.poll(() => proxy.pausedReplies()).toBeGreaterThan(0);
    controller.abort();
    await expect(reply).rejects.toThrow();
    await expect.poll(() => rig.rigs[0]?.logs()).toContain('"aborted":true');
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
      await expect.poll(() => proxy.pausedReplies()).toBeGreaterThan(0);
      controller.abort();
      await expect(reply).rejects.toThrow();
      await expect.poll(() => rig.rigs[0]?.logs().split('"aborted":true').length).not.toBe(before);
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
    await expect.poll(() => rig.upstream.requests.length).toBe(1);
    controller.abort();
    await expect(reply).rejects.toThrow();
    await expectSpent(cost(tokens, 0));
  });
});
