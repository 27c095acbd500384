import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LimiterRig, limiterRig, START } from '../test/limiter-rig.ts';
import { createLimiter } from './limiter.ts';

const HOUR_MS = 3_600_000;
const LARGEST = 9e15;

let rig: LimiterRig;
beforeEach(() => {
  rig = limiterRig();
});
afterEach(() => rig.close());

describe('budgets', () => {
  const budget = { budget: { nanos: 1_000, period: 'month' as const }, nanos: 20 };

  it('admit exactly the requests they cover, also after usage is recorded', async () => {
    const requests = Array.from({ length: 200 }, () => rig.request(budget));
    const decisions = await Promise.all(requests.map((request) => rig.limiter.admit(request)));
    const paid = requests.filter((_, index) => decisions[index]?.reached === undefined);
    expect(paid).toHaveLength(50);
    expect(await rig.limiter.spending('alice')).toEqual({ at: rig.now, reserved: 1_000, day: 0, month: 0, total: 0 });
    await Promise.all(paid.map((request) => rig.limiter.recordUsage(request, START, { tokens: 0, nanos: 20 })));
    expect(await rig.limiter.spending('alice')).toEqual({
      at: rig.now,
      reserved: 0,
      day: 1_000,
      month: 1_000,
      total: 1_000,
    });
    expect(await rig.limiter.admit(rig.request({ ...budget, nanos: 1 }))).toMatchObject({
      reached: 'budget',
      waitMs: 0,
    });
  });

  it('release the reservations of failed requests', async () => {
    const requests = Array.from({ length: 50 }, () => rig.request(budget));
    await Promise.all(requests.map((request) => rig.limiter.admit(request)));
    expect(await rig.admitted(budget)).toBe(0);
    await Promise.all(
      requests.slice(0, 7).map((request) => rig.limiter.recordUsage(request, START, { tokens: 0, nanos: 0 })),
    );
    expect(await rig.admitted(budget, 50)).toBe(7);
  });

  it('charge usage once if its record is sent twice', async () => {
    const request = rig.request(budget);
    await rig.limiter.admit(request);
    for (let sent = 0; sent < 2; sent++) await rig.limiter.recordUsage(request, START, { tokens: 0, nanos: 15 });
    expect(await rig.limiter.spending('alice')).toMatchObject({ reserved: 0, total: 15 });
  });

  it('charge usage that is due once, however late its record is sent again', async () => {
    const [request, due] = [rig.request(budget), { key: `{${rig.prefix}}:due`, field: 'c0' }];
    await rig.redis.hset(due.key, { c0: 'a charge', c1: 'another' });
    for (let sent = 0; sent < 2; sent++) {
      await rig.limiter.charge(request, { tokens: 0, nanos: 15 }, undefined, due);
      // As after a minute.
      await rig.redis.del(`{${rig.prefix}}:settled:${request.id}`);
    }
    expect((await rig.limiter.spending('alice')).total).toBe(15);
    expect(await rig.redis.hkeys(due.key)).toEqual(['c1']);
  });

  it('reserve once if an admission is sent twice', async () => {
    const request = rig.request(budget);
    for (let sent = 0; sent < 2; sent++) expect((await rig.limiter.admit(request)).reached).toBeUndefined();
    expect(await rig.limiter.spending('alice')).toMatchObject({ reserved: 20 });
  });

  it('release the reservation of a dead process after an hour and charge usage that is recorded later', async () => {
    const lost = rig.request({ ...budget, nanos: 600 });
    const late = rig.request({ ...budget, nanos: 400 });
    await rig.limiter.admit(lost);
    await rig.limiter.admit(late);
    rig.now += HOUR_MS - 1;
    expect(await rig.admitted(budget)).toBe(0);
    rig.now += 1;
    expect(await rig.limiter.spending('alice')).toMatchObject({ reserved: 0 });
    await rig.limiter.recordUsage(late, START, { tokens: 0, nanos: 400 });
    expect(await rig.limiter.spending('alice')).toMatchObject({ reserved: 0, total: 400 });
  });

  it.each([
    ['day', Date.UTC(2026, 1, 1, 0, 0, 0), 50],
    ['month', Date.UTC(2026, 1, 1, 0, 0, 0), 50],
    ['month', Date.UTC(2026, 0, 31, 23, 59, 59, 999), 0],
    ['day', Date.UTC(2026, 0, 31, 23, 59, 59, 999), 0],
    ['month', Date.UTC(2027, 0, 1), 50],
    ['total', Date.UTC(2031, 5, 1), 0],
  ] as const)('of a %s reset by UTC: at %d, %d is available', async (period, at, expected) => {
    await rig.limiter.charge(rig.request(), { tokens: 0, nanos: 1_000 });
    rig.now = at;
    expect(await rig.admitted({ ...budget, budget: { nanos: 1_000, period } }, 60)).toBe(expected);
  });

  it('assign every day of four years to its month, including leap days', async () => {
    for (let day = 0; day < 1_461; day += 1) {
      rig.now = Date.UTC(2027, 0, 1 + day, 12);
      await rig.limiter.charge(rig.request(), { tokens: 0, nanos: 1 });
    }
    expect(await rig.redis.hget(`{${rig.prefix}}:budget:alice`, 'monthOf')).toBe('2030-12');
    expect(await rig.limiter.spending('alice')).toEqual({ at: rig.now, reserved: 0, day: 1, month: 31, total: 1_461 });
    rig.now = Date.UTC(2028, 1, 29);
    await rig.limiter.charge(rig.request(), { tokens: 0, nanos: 1 });
    expect(await rig.redis.hget(`{${rig.prefix}}:budget:alice`, 'monthOf')).toBe('2028-02');
  });

  it('stay exact up to a million dollars', async () => {
    const million = 1_000_000 * 1e9;
    await rig.limiter.charge(rig.request(), { tokens: 0, nanos: million - 1 });
    const largeBudget = { budget: { nanos: million, period: 'total' as const } };
    expect(await rig.admitted({ ...largeBudget, nanos: 2 })).toBe(0);
    expect(await rig.admitted({ ...largeBudget, nanos: 1 })).toBe(1);
  });

  it.each([-1, Number.NaN, Infinity])('reserve nothing and admit nothing for an amount of %d', async (amount) => {
    await expect(rig.limiter.admit(rig.request({ ...budget, nanos: amount }))).rejects.toThrow('numbers from 0');
    await expect(rig.limiter.admit(rig.request({ tokensPerMinute: 9, tokens: amount }))).rejects.toThrow(
      'numbers from 0',
    );
    expect(await rig.limiter.spending('alice')).toMatchObject({ reserved: 0 });
  });

  it.each([
    [1e30, LARGEST],
    [Infinity, LARGEST],
    [Number.NaN, 0],
    [-5, 0],
  ])('record usage of %d completely: nothing stays reserved and %d is charged', async (amount, counted) => {
    const request = rig.request({ ...budget, tokensPerMinute: 100, tokens: 10 });
    const { at } = await rig.limiter.admit(request);
    await rig.limiter.recordUsage(request, at, { tokens: amount, nanos: amount });
    expect(await rig.limiter.spending('alice')).toEqual({
      at: rig.now,
      reserved: 0,
      day: counted,
      month: counted,
      total: counted,
    });
    await rig.limiter.charge(rig.request(), { tokens: 0, nanos: amount });
    expect(await rig.limiter.spending('alice')).toMatchObject({ total: counted });
  });

  it('record usage on the second send if the first one failed', async () => {
    const request = rig.request(budget);
    await rig.limiter.admit(request);
    const broken = `{${rig.prefix}}:budget_open:alice`;
    const open = await rig.redis.zrange(broken, '0', '-1', 'WITHSCORES');
    await rig.redis.set(broken, 'no sorted set');
    await expect(rig.limiter.recordUsage(request, START, { tokens: 0, nanos: 15 })).rejects.toThrow('WRONGTYPE');
    await rig.redis.del(broken);
    await rig.redis.zadd(broken, String(open[1]), String(open[0]));
    await rig.limiter.recordUsage(request, START, { tokens: 0, nanos: 15 });
    expect(await rig.limiter.spending('alice')).toMatchObject({ total: 15 });
  });

  it('use the clock of Redis by default', async () => {
    const real = createLimiter(rig.redis, { prefix: rig.prefix });
    await real.charge(rig.request(), { tokens: 0, nanos: 3 });
    expect(await real.spending('alice')).toMatchObject({ reserved: 0, day: 3, month: 3, total: 3 });
    const { at } = await real.admit(rig.request({ requestsPerMinute: 5 }));
    expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
  });
});
