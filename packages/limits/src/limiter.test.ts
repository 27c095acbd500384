import { openRedis, testRedis } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LimiterRig, limiterRig, START } from '../test/limiter-rig.ts';
import { createLimiter } from './limiter.ts';

let rig: LimiterRig;
beforeEach(() => {
  rig = limiterRig();
});
afterEach(() => rig.close());

describe('requests per minute', () => {
  const rate = { requestsPerMinute: 10 };

  it('admits exactly the limit over any number of connections', async () => {
    const others = Array.from({ length: 4 }, () => openRedis(testRedis().redisUrl));
    const limiters = others.map((connection) => createLimiter(connection, { prefix: rig.prefix, now: () => rig.now }));
    const callers = Array.from({ length: 50 }, () => limiters).flat();
    const decisions = await Promise.all(
      callers.map((limiter) => limiter.admit(rig.request({ requestsPerMinute: 50 }))),
    );
    expect(decisions.filter(({ reached }) => reached === undefined)).toHaveLength(50);
    for (const connection of others) connection.disconnect();
  });

  it('never admits more within any 60 seconds', async () => {
    const moments: number[] = [];
    for (let step = 0; step < 400; step++) {
      rig.now = START + step * 777;
      if ((await rig.limiter.admit(rig.request(rate))).reached === undefined) moments.push(rig.now);
    }
    for (const from of moments) {
      expect(moments.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(10);
    }
    expect(moments.length).toBeGreaterThan(40);
  });

  it('admits a request after exactly the reported wait', async () => {
    expect(await rig.admitted(rate, 4)).toBe(4);
    rig.now += 30_000;
    expect(await rig.admitted(rate, 6)).toBe(6);
    const refused = await rig.limiter.admit(rig.request(rate));
    expect(refused).toMatchObject({ reached: 'requests', requests: { limit: 10, remaining: 0, resetMs: 60_000 } });
    rig.now += refused.waitMs - 1;
    expect(await rig.admitted(rate)).toBe(0);
    rig.now += 1;
    expect(await rig.admitted(rate, 10)).toBe(4);
  });

  it('counts each key separately and ignores rejected requests', async () => {
    expect(await rig.admitted(rate, 30)).toBe(10);
    expect(await rig.admitted({ ...rate, owner: 'bob' }, 3)).toBe(3);
    rig.now += 61_000;
    expect(await rig.admitted(rate, 30)).toBe(10);
  });
});

describe('tokens per minute', () => {
  const rate = { tokensPerMinute: 100, tokens: 30 };

  it('reserves tokens first and corrects them by the usage', async () => {
    const first = rig.request(rate);
    const { at } = await rig.limiter.admit(first);
    expect(await rig.admitted(rate, 5)).toBe(2);
    await rig.limiter.recordUsage(first, at, { tokens: 5, nanos: 0 });
    expect((await rig.limiter.admit(rig.request({ ...rate, tokens: 35 }))).tokens).toMatchObject({
      limit: 100,
      remaining: 0,
    });
    expect(await rig.admitted({ ...rate, tokens: 1 })).toBe(0);
  });

  it('releases tokens once if usage is recorded twice', async () => {
    const first = rig.request(rate);
    const { at } = await rig.limiter.admit(first);
    await rig.limiter.recordUsage(first, at, { tokens: 0, nanos: 0 });
    await rig.limiter.recordUsage(first, at, { tokens: 0, nanos: 0 });
    expect(await rig.admitted({ ...rate, tokens: 50 }, 3)).toBe(2);
  });

  it('counts tokens and request once if an admission is sent twice', async () => {
    const request = rig.request({ ...rate, requestsPerMinute: 2 });
    for (let sent = 0; sent < 3; sent++) {
      expect(await rig.limiter.admit(request)).toMatchObject({ requests: { remaining: 1 }, tokens: { remaining: 70 } });
    }
    expect(await rig.admitted({ ...rate, requestsPerMinute: 2 }, 3)).toBe(1);
  });

  it.each([0.3, -0.3, Number.NaN, Infinity])(
    'records tokens and cost if the vendor reports %s tokens more than reserved',
    async (more) => {
      const request = rig.request({
        tokensPerMinute: 100,
        tokens: 10,
        nanos: 7,
        budget: { nanos: 100, period: 'total' },
      });
      const { at } = await rig.limiter.admit(request);
      await rig.limiter.recordUsage(request, at, { tokens: 10 + more, nanos: 5 });
      expect(await rig.limiter.spending('alice')).toMatchObject({ reserved: 0, total: 5 });
    },
  );

  it('counts the usage once if the reply to the admission was lost', async () => {
    const request = rig.request(rate);
    await rig.limiter.admit(request);
    await rig.limiter.charge(request, { tokens: 5, nanos: 0 });
    expect(await rig.admitted({ ...rate, tokens: 95 })).toBe(1);
    expect(await rig.admitted({ ...rate, tokens: 1 })).toBe(0);
  });

  it.each([
    ['with another request meanwhile', async () => void (await rig.admitted({ ...rate, tokens: 1 }))],
    ['without another request meanwhile', () => Promise.resolve()],
  ])('treats tokens reserved for longer than a minute, %s, as usage beyond the reservation', async (_, meanwhile) => {
    const [more, less] = [rig.request(rate), rig.request(rate)];
    const { at } = await rig.limiter.admit(more);
    await rig.limiter.admit(less);
    rig.now += 60_000;
    await meanwhile();
    rig.now += 60_000;
    await rig.limiter.recordUsage(less, at, { tokens: 5, nanos: 0 });
    await rig.limiter.recordUsage(more, at, { tokens: 90, nanos: 0 });
    expect(await rig.admitted({ ...rate, tokens: 41 })).toBe(0);
    expect(await rig.admitted({ ...rate, tokens: 40 })).toBe(1);
    rig.now += 60_000;
    expect(await rig.admitted({ ...rate, tokens: 100 })).toBe(1);
  });

  it('counts tokens without a reservation in the second of the request', async () => {
    const request = rig.request({ ...rate, requestsPerMinute: 9, tokens: 0 });
    const { at } = await rig.limiter.admit(request);
    await rig.limiter.recordUsage(request, at, { tokens: 80, nanos: 0 });
    expect(await rig.admitted(rate)).toBe(0);
  });

  it('releases tokens where they were reserved, whichever reply to an admission arrived', async () => {
    const request = rig.request(rate);
    await rig.limiter.admit(request);
    rig.now += 2_000;
    const { at } = await rig.limiter.admit(request);
    await rig.limiter.admit(rig.request({ ...rate, tokens: 50 }));
    await rig.limiter.recordUsage(request, at, { tokens: 5, nanos: 0 });
    expect(await rig.admitted({ ...rate, tokens: 46 })).toBe(0);
    expect(await rig.admitted({ ...rate, tokens: 45 })).toBe(1);
    rig.now += 58_000; // By now, the reservation made in the first second has expired.
    expect(await rig.admitted({ ...rate, tokens: 6 })).toBe(0);
    expect(await rig.admitted({ ...rate, tokens: 5 })).toBe(1);
  });

  it('reserves nothing for an admission that arrives after its usage', async () => {
    const request = rig.request({ ...rate, budget: { nanos: 1_000, period: 'total' }, nanos: 20 });
    await rig.limiter.charge(request, { tokens: 5, nanos: 15 });
    expect((await rig.limiter.admit(request)).reached).toBeUndefined();
    expect(await rig.limiter.spending('alice')).toMatchObject({ reserved: 0, total: 15 });
    expect(await rig.admitted({ ...rate, tokens: 95 })).toBe(1);
  });

  it('rejects a request larger than the limit of a minute at once', async () => {
    expect(await rig.limiter.admit(rig.request({ ...rate, tokens: 101 }))).toMatchObject({
      reached: 'size',
      waitMs: 0,
    });
    expect(await rig.admitted({ ...rate, tokens: 100 })).toBe(1);
  });

  it('counts tokens without a reservation', async () => {
    await rig.limiter.charge(rig.request(), { tokens: 80, nanos: 0 });
    expect(await rig.admitted(rate)).toBe(0);
    expect(await rig.admitted({ ...rate, tokens: 20 })).toBe(1);
  });

  it('counts no tokens of a request that exceeds the request limit', async () => {
    expect(await rig.admitted({ ...rate, requestsPerMinute: 1 }, 5)).toBe(1);
    expect(await rig.admitted({ ...rate, tokens: 70 })).toBe(1);
  });
});
