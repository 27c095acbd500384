import { openRedis, type PrivateRedis, startPrivateRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLimiter, type LimitedRequest, type Limiter } from './limiter.ts';

let server: PrivateRedis;
let redis: Redis;
let limiter: Limiter;
beforeAll(async () => {
  server = await startPrivateRedis();
});
afterAll(() => server.stop());
beforeEach(() => {
  redis = openRedis(server.url);
  limiter = createLimiter(redis, { prefix: 'batch' });
});
afterEach(async () => {
  await redis.config('SET', 'maxmemory', '0');
  await redis.flushall();
  redis.disconnect();
});

let ids = 0;
function request(owner: string): LimitedRequest {
  ids += 1;
  const budget = { nanos: 1_000, period: 'total' } as const;
  return { id: `id-${ids}`, owner, requestsPerMinute: 100, tokensPerMinute: 5_000, budget, tokens: 40, nanos: 10 };
}

async function scriptCalls(): Promise<number> {
  const stats = await redis.info('commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

describe('concurrent admissions and usage records', () => {
  it('share calls of the script, and each one has its own reply', async () => {
    await limiter.admit(request('alice'));
    const calls = await scriptCalls();
    const decisions = await Promise.all([
      ...Array.from({ length: 90 }, () => limiter.admit(request('alice'))),
      ...Array.from({ length: 60 }, () => limiter.admit(request('bob'))),
    ]);
    expect((await scriptCalls()) - calls).toBe(3);
    expect(decisions.filter(({ reached }) => reached !== undefined)).toEqual([]);
    expect(decisions.map(({ requests }) => requests?.remaining)).toEqual([
      ...Array.from({ length: 90 }, (_, index) => 98 - index),
      ...Array.from({ length: 60 }, (_, index) => 99 - index),
    ]);
    expect(await limiter.spending('bob')).toMatchObject({ reserved: 600 });
  });

  it('take effect in their order', async () => {
    const budget = { nanos: 10, period: 'total' } as const;
    const [first, second, third] = [request('alice'), request('alice'), request('alice')];
    const { at } = await limiter.admit({ ...first, budget });
    const [before, , after] = await Promise.all([
      limiter.admit({ ...second, budget }),
      limiter.recordUsage(first, at, { tokens: 5, nanos: 0 }),
      limiter.admit({ ...third, budget }),
    ]);
    expect([before.reached, after.reached]).toEqual(['budget', undefined]);
    // The first request used 5 of its 40 tokens.
    expect(after.tokens?.remaining).toBe(5_000 - 5 - 40);
  });

  it('do not affect each other if one of them fails', async () => {
    await redis.set('{batch}:budget_amounts:mallory', 'no hash');
    const [admitted, failed, also] = await Promise.allSettled([
      limiter.admit(request('alice')),
      limiter.admit(request('mallory')),
      limiter.admit(request('alice')),
    ]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { name: 'ReplyError' } });
    expect(String(failed.status === 'rejected' && failed.reason)).toContain('WRONGTYPE');
    expect([admitted.status, also.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(await limiter.spending('alice')).toMatchObject({ reserved: 20 });
  });

  it('load the script again after Redis has lost it', async () => {
    await limiter.admit(request('alice'));
    await redis.script('FLUSH');
    expect((await limiter.admit(request('alice'))).requests).toMatchObject({ remaining: 98 });
  });

  it('admit nothing while the memory of Redis is full, even after a usage record', async () => {
    const open = request('alice');
    const { at } = await limiter.admit({ ...open, tokensPerMinute: undefined, tokens: 0 });
    await redis.config('SET', 'maxmemory', '1');
    const [recorded, admitted] = await Promise.allSettled([
      limiter.recordUsage({ ...open, tokens: 0 }, at, { tokens: 0, nanos: 7 }),
      limiter.admit(request('alice')),
    ]);
    expect(admitted).toMatchObject({ status: 'rejected', reason: { name: 'ReplyError' } });
    expect(String(admitted.status === 'rejected' && admitted.reason)).toContain('OOM');
    expect(recorded.status).toBe('fulfilled');
    expect(await limiter.spending('alice')).toMatchObject({ reserved: 0, total: 7 });
  });
});
