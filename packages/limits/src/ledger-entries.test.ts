import { openRedis, startPrivateRedis } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LimiterRig, limiterRig, MAX_LEDGER_ENTRIES, START } from '../test/limiter-rig.ts';
import { createLimiter } from './limiter.ts';

const budget = { budget: { nanos: 1_000, period: 'total' as const }, nanos: 20 };

let rig: LimiterRig;
beforeEach(() => {
  rig = limiterRig();
});
afterEach(() => rig.close());

async function entries(): Promise<string[]> {
  const stream = await rig.redis.xrange(`{${rig.prefix}}:ledger`, '-', '+');
  return stream.map(([, fields]) => fields.join('='));
}

function dropped(): Promise<string | null> {
  return rig.redis.get(`{${rig.prefix}}:ledger:dropped`);
}

describe('a usage record with a ledger entry', () => {
  it('appends the entry once if the record is sent twice', async () => {
    const request = rig.request(budget);
    await rig.limiter.admit(request);
    for (let sent = 0; sent < 2; sent++) {
      await rig.limiter.recordUsage(request, START, { tokens: 0, nanos: 15 }, '{"id":"1"}');
    }
    expect(await entries()).toEqual(['entry={"id":"1"}']);
    expect(await rig.limiter.spending('alice')).toMatchObject({ reserved: 0, total: 15 });
  });

  it('appends the entry of a charge without a reservation', async () => {
    const request = rig.request();
    for (let sent = 0; sent < 2; sent++) {
      await rig.limiter.charge(request, { tokens: 0, nanos: 7 }, '{"id":"2"}');
    }
    expect(await entries()).toEqual(['entry={"id":"2"}']);
  });

  it('appends nothing without an entry', async () => {
    await rig.limiter.charge(rig.request(), { tokens: 0, nanos: 7 });
    expect(await entries()).toEqual([]);
    expect(await dropped()).toBeNull();
  });

  it('charges usage even if the stream cannot be written, and counts the dropped entry', async () => {
    await rig.redis.set(`{${rig.prefix}}:ledger`, 'no stream');
    const request = rig.request();
    for (let sent = 0; sent < 2; sent++) await rig.limiter.charge(request, { tokens: 0, nanos: 7 }, '{}');
    expect(await rig.limiter.spending('alice')).toMatchObject({ total: 7 });
    expect(await dropped()).toBe('1');
  });
});

describe('the ledger stream', () => {
  it('keeps the order of appended entries', async () => {
    await rig.limiter.appendEntries(['{"id":"1"}', '{"id":"2"}']);
    await rig.limiter.appendEntries(['{"id":"3"}']);
    expect(await entries()).toEqual(['entry={"id":"1"}', 'entry={"id":"2"}', 'entry={"id":"3"}']);
  });

  it('drops and counts entries beyond its maximum length', async () => {
    const all = Array.from({ length: MAX_LEDGER_ENTRIES + 2 }, (_, index) => String(index));
    await rig.limiter.appendEntries(all);
    await rig.limiter.charge(rig.request(), { tokens: 0, nanos: 7 }, 'charged');
    expect(await entries()).toEqual(all.slice(0, MAX_LEDGER_ENTRIES).map((entry) => `entry=${entry}`));
    expect(await dropped()).toBe('3');
    expect(await rig.limiter.spending('alice')).toMatchObject({ total: 7 });
  });

  it('rejects entries while the memory of Redis is full, but not the entry of a charge', async () => {
    const server = await startPrivateRedis();
    const redis = openRedis(server.url);
    const limiter = createLimiter(redis, { prefix: 'full', maxLedgerEntries: MAX_LEDGER_ENTRIES });
    const request = rig.request(budget);
    const { at } = await limiter.admit(request);
    await redis.config('SET', 'maxmemory', '1');
    await expect(limiter.appendEntries(['later'])).rejects.toThrow('OOM');
    await limiter.recordUsage(request, at, { tokens: 0, nanos: 7 }, 'charged');
    await redis.config('SET', 'maxmemory', '0');
    const stream = await redis.xrange('{full}:ledger', '-', '+');
    expect(stream.map(([, fields]) => fields)).toEqual([['entry', 'charged']]);
    expect(await redis.exists('{full}:ledger:dropped')).toBe(0);
    redis.disconnect();
    await server.stop();
  });
});
