import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLimiter, type LimitedRequest, type Limiter } from './limiter.ts';

const START = Date.UTC(2026, 0, 31, 23, 59, 0);
const HOUR_MS = 3_600_000;
/** The largest sum that is counted. */
const LARGEST = 9e15;

let redis: Redis;
let now = START;
let limiter: Limiter;
let prefix: string;
let ids = 0;

beforeEach(() => {
  const rig = testRedis();
  prefix = rig.prefix;
  redis = openRedis(rig.redisUrl);
  now = START;
  limiter = createLimiter(redis, { prefix, now: () => now });
});
afterEach(() => redis.disconnect());

function request(overrides: Partial<LimitedRequest> = {}): LimitedRequest {
  ids += 1;
  return { id: `id-${ids}`, owner: 'alice', tokens: 0, nanos: 0, ...overrides };
}

async function admitted(overrides: Partial<LimitedRequest>, times = 1): Promise<number> {
  const verdicts = await Promise.all(Array.from({ length: times }, () => limiter.admit(request(overrides))));
  return verdicts.filter(({ reached }) => reached === undefined).length;
}

describe('requests a minute', () => {
  const rate = { requestsPerMinute: 10 };

  it('lets in exactly as many as there are, however many connections ask at once', async () => {
    const others = Array.from({ length: 4 }, () => openRedis(testRedis().redisUrl));
    const limiters = others.map((connection) => createLimiter(connection, { prefix, now: () => now }));
    const asked = Array.from({ length: 50 }, () => limiters).flat();
    const verdicts = await Promise.all(asked.map((one) => one.admit(request({ requestsPerMinute: 50 }))));
    expect(verdicts.filter(({ reached }) => reached === undefined)).toHaveLength(50);
    for (const connection of others) connection.disconnect();
  });

  it('never lets in more within any 60 seconds, wherever they begin', async () => {
    const moments: number[] = [];
    for (let step = 0; step < 400; step++) {
      now = START + step * 777;
      if ((await limiter.admit(request(rate))).reached === undefined) moments.push(now);
    }
    for (const from of moments) {
      expect(moments.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(10);
    }
    expect(moments.length).toBeGreaterThan(40);
  });

  it('lets in again after exactly the wait that it tells', async () => {
    expect(await admitted(rate, 4)).toBe(4);
    now += 30_000;
    expect(await admitted(rate, 6)).toBe(6);
    const refused = await limiter.admit(request(rate));
    expect(refused).toMatchObject({ reached: 'requests', requests: { limit: 10, left: 0, resetMs: 60_000 } });
    now += refused.waitMs - 1;
    expect(await admitted(rate)).toBe(0);
    now += 1;
    expect(await admitted(rate, 10)).toBe(4);
  });

  it('is counted for each key alone, and a refused request does not count', async () => {
    expect(await admitted(rate, 30)).toBe(10);
    expect(await admitted({ ...rate, owner: 'bob' }, 3)).toBe(3);
    now += 61_000;
    expect(await admitted(rate, 30)).toBe(10);
  });
});

describe('tokens a minute', () => {
  const rate = { tokensPerMinute: 100, tokens: 30 };

  it('are held before, and corrected after by what was really used', async () => {
    const first = request(rate);
    const { at } = await limiter.admit(first);
    expect(await admitted(rate, 5)).toBe(2);
    await limiter.settle(first, at, { tokens: 5, nanos: 0 });
    expect((await limiter.admit(request({ ...rate, tokens: 35 }))).tokens).toMatchObject({ limit: 100, left: 0 });
    expect(await admitted({ ...rate, tokens: 1 })).toBe(0);
  });

  it('are given back by a settlement that is sent twice once alone', async () => {
    const first = request(rate);
    const { at } = await limiter.admit(first);
    await limiter.settle(first, at, { tokens: 0, nanos: 0 });
    await limiter.settle(first, at, { tokens: 0, nanos: 0 });
    expect(await admitted({ ...rate, tokens: 50 }, 3)).toBe(2);
  });

  it('and the request itself count once for an admission that is sent twice', async () => {
    const asked = request({ ...rate, requestsPerMinute: 2 });
    for (let sent = 0; sent < 3; sent++) {
      expect(await limiter.admit(asked)).toMatchObject({ requests: { left: 1 }, tokens: { left: 70 } });
    }
    expect(await admitted({ ...rate, requestsPerMinute: 2 }, 3)).toBe(1);
  });

  it.each([0.3, -0.3, Number.NaN, Infinity])(
    'are settled with their money where a vendor tells %s of them more than held',
    async (more) => {
      const asked = request({ tokensPerMinute: 100, tokens: 10, nanos: 7, budget: { nanos: 100, period: 'total' } });
      const { at } = await limiter.admit(asked);
      await limiter.settle(asked, at, { tokens: 10 + more, nanos: 5 });
      expect(await limiter.spending('alice')).toMatchObject({ held: 0, total: 5 });
    },
  );

  it('count once where the answer to the admission was lost, as what was really used', async () => {
    const asked = request(rate);
    await limiter.admit(asked);
    await limiter.charge(asked, { tokens: 5, nanos: 0 });
    expect(await admitted({ ...rate, tokens: 95 })).toBe(1);
    expect(await admitted({ ...rate, tokens: 1 })).toBe(0);
  });

  it.each([
    ['which is asked for meanwhile', async () => void (await admitted({ ...rate, tokens: 1 }))],
    ['which nobody asks for meanwhile', () => Promise.resolve()],
  ])('held for longer than a minute, %s, count as those that were used beyond them', async (_, meanwhile) => {
    const [more, less] = [request(rate), request(rate)];
    const { at } = await limiter.admit(more);
    await limiter.admit(less);
    now += 60_000;
    await meanwhile();
    now += 60_000;
    await limiter.settle(less, at, { tokens: 5, nanos: 0 });
    await limiter.settle(more, at, { tokens: 90, nanos: 0 });
    expect(await admitted({ ...rate, tokens: 41 })).toBe(0);
    expect(await admitted({ ...rate, tokens: 40 })).toBe(1);
    now += 60_000;
    expect(await admitted({ ...rate, tokens: 100 })).toBe(1);
  });

  it('that nothing was held for count in the second of the request, too', async () => {
    const asked = request({ ...rate, requestsPerMinute: 9, tokens: 0 });
    const { at } = await limiter.admit(asked);
    await limiter.settle(asked, at, { tokens: 80, nanos: 0 });
    expect(await admitted(rate)).toBe(0);
  });

  it('are given back where they were held, whichever of the answers to an admission was heard', async () => {
    const asked = request(rate);
    await limiter.admit(asked);
    now += 2_000;
    const { at } = await limiter.admit(asked);
    await limiter.admit(request({ ...rate, tokens: 50 }));
    await limiter.settle(asked, at, { tokens: 5, nanos: 0 });
    expect(await admitted({ ...rate, tokens: 46 })).toBe(0);
    expect(await admitted({ ...rate, tokens: 45 })).toBe(1);
    now += 58_000; // What was held in the first second has left.
    expect(await admitted({ ...rate, tokens: 6 })).toBe(0);
    expect(await admitted({ ...rate, tokens: 5 })).toBe(1);
  });

  it('are not held by an admission that comes after its settlement', async () => {
    const asked = request({ ...rate, budget: { nanos: 1_000, period: 'total' }, nanos: 20 });
    await limiter.charge(asked, { tokens: 5, nanos: 15 });
    expect((await limiter.admit(asked)).reached).toBeUndefined();
    expect(await limiter.spending('alice')).toMatchObject({ held: 0, total: 15 });
    expect(await admitted({ ...rate, tokens: 95 })).toBe(1);
  });

  it('refuse at once what a whole minute has not', async () => {
    expect(await limiter.admit(request({ ...rate, tokens: 101 }))).toMatchObject({ reached: 'size', waitMs: 0 });
    expect(await admitted({ ...rate, tokens: 100 })).toBe(1);
  });

  it('count too where nothing was held', async () => {
    await limiter.charge(request(), { tokens: 80, nanos: 0 });
    expect(await admitted(rate)).toBe(0);
    expect(await admitted({ ...rate, tokens: 20 })).toBe(1);
  });

  it('do not count a request that its number forbids', async () => {
    expect(await admitted({ ...rate, requestsPerMinute: 1 }, 5)).toBe(1);
    expect(await admitted({ ...rate, tokens: 70 })).toBe(1);
  });
});

describe('a budget', () => {
  const budget = { budget: { nanos: 1_000, period: 'month' as const }, nanos: 20 };

  it('lets in exactly as many as it pays for, and not one more once they are settled', async () => {
    const requests = Array.from({ length: 200 }, () => request(budget));
    const verdicts = await Promise.all(requests.map((asked) => limiter.admit(asked)));
    const paid = requests.filter((_, index) => verdicts[index]?.reached === undefined);
    expect(paid).toHaveLength(50);
    expect(await limiter.spending('alice')).toEqual({ at: now, held: 1_000, day: 0, month: 0, total: 0 });
    await Promise.all(paid.map((asked) => limiter.settle(asked, START, { tokens: 0, nanos: 20 })));
    expect(await limiter.spending('alice')).toEqual({ at: now, held: 0, day: 1_000, month: 1_000, total: 1_000 });
    expect(await limiter.admit(request({ ...budget, nanos: 1 }))).toMatchObject({ reached: 'budget', waitMs: 0 });
  });

  it('gets back what was held for failed requests', async () => {
    const requests = Array.from({ length: 50 }, () => request(budget));
    await Promise.all(requests.map((asked) => limiter.admit(asked)));
    expect(await admitted(budget)).toBe(0);
    await Promise.all(requests.slice(0, 7).map((asked) => limiter.settle(asked, START, { tokens: 0, nanos: 0 })));
    expect(await admitted(budget, 50)).toBe(7);
  });

  it('is charged once by a settlement that is sent twice', async () => {
    const asked = request(budget);
    await limiter.admit(asked);
    for (let sent = 0; sent < 2; sent++) await limiter.settle(asked, START, { tokens: 0, nanos: 15 });
    expect(await limiter.spending('alice')).toMatchObject({ held: 0, total: 15 });
  });

  it('holds once for an admission that is sent twice', async () => {
    const asked = request(budget);
    for (let sent = 0; sent < 2; sent++) expect((await limiter.admit(asked)).reached).toBeUndefined();
    expect(await limiter.spending('alice')).toMatchObject({ held: 20 });
  });

  it('gets back what was held by a process that died, after an hour; what is settled later is spent all the same', async () => {
    const lost = request({ ...budget, nanos: 600 });
    const late = request({ ...budget, nanos: 400 });
    await limiter.admit(lost);
    await limiter.admit(late);
    now += HOUR_MS - 1;
    expect(await admitted(budget)).toBe(0);
    now += 1;
    expect(await limiter.spending('alice')).toMatchObject({ held: 0 });
    await limiter.settle(late, START, { tokens: 0, nanos: 400 });
    expect(await limiter.spending('alice')).toMatchObject({ held: 0, total: 400 });
  });

  it.each([
    ['day', Date.UTC(2026, 1, 1, 0, 0, 0), 50],
    ['month', Date.UTC(2026, 1, 1, 0, 0, 0), 50],
    ['month', Date.UTC(2026, 0, 31, 23, 59, 59, 999), 0],
    ['day', Date.UTC(2026, 0, 31, 23, 59, 59, 999), 0],
    ['month', Date.UTC(2027, 0, 1), 50],
    ['total', Date.UTC(2031, 5, 1), 0],
  ] as const)(
    'of a %s begins anew with its period by UTC: at %d there is money for %d',
    async (period, at, expected) => {
      await limiter.charge(request(), { tokens: 0, nanos: 1_000 });
      now = at;
      expect(await admitted({ ...budget, budget: { nanos: 1_000, period } }, 60)).toBe(expected);
    },
  );

  it('knows every day of four years by its month, leap days too', async () => {
    for (let day = 0; day < 1_461; day += 1) {
      now = Date.UTC(2027, 0, 1 + day, 12);
      await limiter.charge(request(), { tokens: 0, nanos: 1 });
    }
    expect(await redis.hget(`{${prefix}}:budget:alice`, 'monthOf')).toBe('2030-12');
    expect(await limiter.spending('alice')).toEqual({ at: now, held: 0, day: 1, month: 31, total: 1_461 });
    now = Date.UTC(2028, 1, 29);
    await limiter.charge(request(), { tokens: 0, nanos: 1 });
    expect(await redis.hget(`{${prefix}}:budget:alice`, 'monthOf')).toBe('2028-02');
  });

  it('stays exact up to a million dollars', async () => {
    const million = 1_000_000 * 1e9;
    await limiter.charge(request(), { tokens: 0, nanos: million - 1 });
    const rich = { budget: { nanos: million, period: 'total' as const } };
    expect(await admitted({ ...rich, nanos: 2 })).toBe(0);
    expect(await admitted({ ...rich, nanos: 1 })).toBe(1);
  });

  it.each([-1, Number.NaN, Infinity])(
    'holds nothing for an amount of %d, and lets nobody in for it',
    async (amount) => {
      await expect(limiter.admit(request({ ...budget, nanos: amount }))).rejects.toThrow('held from 0');
      await expect(limiter.admit(request({ tokensPerMinute: 9, tokens: amount }))).rejects.toThrow('held from 0');
      expect(await limiter.spending('alice')).toMatchObject({ held: 0 });
    },
  );

  it.each([
    [1e30, LARGEST],
    [Infinity, LARGEST],
    [Number.NaN, 0],
    [-5, 0],
  ])('settles whole what is told as %d: nothing stays held, and it counts %d', async (told, counted) => {
    const asked = request({ ...budget, tokensPerMinute: 100, tokens: 10 });
    const { at } = await limiter.admit(asked);
    await limiter.settle(asked, at, { tokens: told, nanos: told });
    expect(await limiter.spending('alice')).toEqual({ at: now, held: 0, day: counted, month: counted, total: counted });
    await limiter.charge(request(), { tokens: 0, nanos: told });
    expect(await limiter.spending('alice')).toMatchObject({ total: counted });
  });

  it('is settled by a second sending where the first could not count', async () => {
    const asked = request(budget);
    await limiter.admit(asked);
    const broken = `{${prefix}}:budget_open:alice`;
    const open = await redis.zrange(broken, '0', '-1', 'WITHSCORES');
    await redis.set(broken, 'no sorted set');
    await expect(limiter.settle(asked, START, { tokens: 0, nanos: 15 })).rejects.toThrow('WRONGTYPE');
    await redis.del(broken);
    await redis.zadd(broken, String(open[1]), String(open[0]));
    await limiter.settle(asked, START, { tokens: 0, nanos: 15 });
    expect(await limiter.spending('alice')).toMatchObject({ total: 15 });
  });

  it('is counted by the clock of Redis where no other is given', async () => {
    const real = createLimiter(redis, { prefix });
    await real.charge(request(), { tokens: 0, nanos: 3 });
    expect(await real.spending('alice')).toMatchObject({ held: 0, day: 3, month: 3, total: 3 });
    const { at } = await real.admit(request({ requestsPerMinute: 5 }));
    expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
  });
});
