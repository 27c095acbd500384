import { openRedis, type PrivateRedis, startPrivateRedis } from '@sluice/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type LimitsRig, limitsRig } from '../../test/limits-rig.ts';
import { respondWith } from '../../test/vendor.ts';

const CLIENTS = { eve: { budget: { usd: 1, period: 'day' } }, rates: { limits: { rpm: 1 } }, free: {} };
const PRICES = { 'by-chat': { price: { output: 10 } } };
const CHAT = '/v1/chat/completions';
const chat = { model: 'by-chat', messages: [{ role: 'user', content: 'hi' }], max_tokens: 2 };

let redis: PrivateRedis;
beforeAll(async () => {
  redis = await startPrivateRedis();
});
afterAll(() => redis.stop());

let rig: LimitsRig;
afterEach(() => rig.close());

/** Makes the primary a replica of a server that does not exist, as in a failover that demotes it. */
async function demote(): Promise<void> {
  const client = openRedis(redis.url);
  await client.replicaof('127.0.0.1', 1);
  await client.quit();
}

async function promote(): Promise<void> {
  const client = openRedis(redis.url);
  await client.replicaof('NO', 'ONE');
  await client.quit();
}

describe.each(['read-only', 'unreachable'])('while Redis is %s', (state) => {
  const start = async (config: Record<string, unknown>) => {
    rig = await limitsRig(CLIENTS, respondWith('hello'), {
      prices: PRICES,
      config,
      redisUrl: state === 'read-only' ? redis.url : 'redis://127.0.0.1:1',
    });
    if (state === 'read-only') await demote();
  };
  afterEach(async () => {
    if (state === 'read-only') await promote();
  });

  it('a request that a budget applies to is refused by default', async () => {
    await start({});
    const refused = await rig.post('eve', CHAT, chat);
    expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([503, 'true']);
    expect(await refused.json()).toMatchObject({ error: { code: 'store_unavailable' } });
    expect(rig.upstream.requests).toEqual([]);
    expect(rig.rigs[0]?.logs()).toContain('the budget could not be checked');
    expect((await rig.post('rates', CHAT, chat)).status).toBe(200);
    expect((await rig.post('free', CHAT, chat)).status).toBe(200);
    expect((await rig.post('eve', CHAT, { ...chat, model: 'by-messages' })).status).toBe(200); // this model has no price
  });

  it('it is served if the operator allows it', async () => {
    await start({ limits: { on_outage: 'allow' } });
    expect((await rig.post('eve', CHAT, chat)).status).toBe(200);
    expect(rig.rigs[0]?.logs()).toContain('limits are not enforced');
  });
});
