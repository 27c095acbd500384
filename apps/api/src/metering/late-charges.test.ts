import { setTimeout as wait } from 'node:timers/promises';
import { type RedisProxy, startRedisProxy, testRedis } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LimitsRig, limitsRig } from '../../test/limits-rig.ts';
import { chatResponse, sendJson } from '../../test/text-rig.ts';
import { respondWith } from '../../test/vendor.ts';

const CHAT = '/v1/chat/completions';
const chat = { model: 'by-chat', messages: [{ role: 'user', content: 'hi' }], max_tokens: 2 };
const prices = { 'by-chat': { price: { input: 1, output: 2 } } };
const eve = { eve: { budget: { usd: 1 } } };
/** The cost in nano-dollars of the vendor's 3 input and 2 output tokens. */
const COST = 7_000;
const REDIS_MS = 500;

let proxy: RedisProxy;
let rig: LimitsRig;
beforeEach(async () => {
  proxy = await startRedisProxy(testRedis().redisUrl);
});
afterEach(async () => {
  await rig.close();
  await proxy.close();
});

const logs = (): string => rig.rigs[0]?.logs() ?? '';

/** Serves a request that ends while Redis is unreachable. */
async function serveWhileAway(): Promise<void> {
  const away = Promise.withResolvers<void>();
  rig = await limitsRig(
    eve,
    (_request, response) => void away.promise.then(() => sendJson(response, 200, chatResponse('hello'))),
    { prices, redisUrl: proxy.url, redisTimeoutMs: REDIS_MS },
  );
  const reply = rig.post('eve', CHAT, chat);
  await expect.poll(() => rig.upstream.requests.length).toBe(1);
  proxy.set({ kind: 'reset' });
  await expect.poll(() => logs().includes('redis unavailable')).toBe(true);
  away.resolve();
  expect(await (await reply).json()).toMatchObject({ object: 'chat.completion' });
  await expect.poll(() => logs().includes('"status":200')).toBe(true);
  // A command may take this long to fail.
  await wait(3 * REDIS_MS);
  expect((await rig.limiter.spending('eve')).total).toBe(0);
}

describe('the usage of a request', () => {
  it('is recorded once Redis is back if the request ended during an outage', async () => {
    await serveWhileAway();
    proxy.set({ kind: 'none' });
    await expect.poll(async () => (await rig.limiter.spending('eve')).total).toBe(COST);
    expect(await rig.finalSpending('eve')).toMatchObject({ reserved: 0, total: COST });
  });

  it('is recorded before the process stops', async () => {
    await serveWhileAway();
    proxy.set({ kind: 'none' });
    await rig.rigs[0]?.app.close();
    expect(await rig.limiter.spending('eve')).toMatchObject({ reserved: 0, total: COST });
  });

  it('is dropped with a log line if the process stops during an outage', async () => {
    await serveWhileAway();
    await rig.rigs[0]?.app.close();
    expect(logs()).toContain('usage could not be recorded');
  });

  it("is recorded once if Redis' response was lost", async () => {
    rig = await limitsRig(eve, respondWith('hello'), { prices, redisUrl: proxy.url });
    const lost = proxy.dropResponse((args) => args.includes('record'));
    expect((await rig.post('eve', CHAT, chat)).status).toBe(200);
    await lost;
    expect(await rig.finalSpending('eve')).toMatchObject({ reserved: 0, total: COST });
    await expect.poll(() => logs().includes('redis available again')).toBe(true);
    await rig.rigs[0]?.app.close();
    expect(await rig.limiter.spending('eve')).toMatchObject({ reserved: 0, total: COST });
    expect(logs()).not.toContain('could not be recorded');
  });
});
