import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CredentialSettings } from './credential.ts';
import { createCredentials, type Credentials, type CredentialsOptions } from './credentials.ts';

let redis: Redis;
let prefix: string;
let opened: Credentials[];
let now: number;
let unixNow: number;
/** Why exchanges began to fail; undefined when they worked again. */
let failures: unknown[];
beforeEach(() => {
  const test = testRedis();
  redis = openRedis(test.redisUrl);
  prefix = test.prefix;
  opened = [];
  failures = [];
  now = 1_000_000;
  unixNow = Date.UTC(2026, 0, 31, 12);
});
afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  redis.disconnect();
});

const ONE: CredentialSettings = { account: 'acme.one', upstream: 'acme', name: 'one', weight: 1 };

async function open(settings: Partial<CredentialSettings>, more: Partial<CredentialsOptions> = {}) {
  const credentials = createCredentials({
    redis,
    prefix,
    process: `process-${opened.length}`,
    settings: [{ ...ONE, ...settings }],
    refusesOnOutage: true,
    now: () => now,
    unixNow: () => unixNow,
    intervalMs: 10,
    onExchange: (error) => failures.push(error),
    ...more,
  });
  opened.push(credentials);
  await credentials.start();
  expect(failures).toEqual([]);
  return credentials;
}

function only(credentials: Credentials) {
  const [credential] = credentials.all();
  if (!credential) throw new Error('no credential');
  return credential;
}

const tokens = () => 1;

/**
 * Takes calls in turn, as the processes exchange their parts, until it has `count`, and then tries for a while to take more.
 * @returns how many calls each process took
 */
async function takeAll(processes: readonly Credentials[], count: number): Promise<number[]> {
  const taken = processes.map(() => 0);
  const latest = performance.now() + 30_000;
  let until: number | undefined;
  while (performance.now() < (until ?? latest)) {
    for (const [index, credentials] of processes.entries()) {
      if (only(credentials).take(tokens)) taken[index] = (taken[index] ?? 0) + 1;
    }
    if (taken.reduce((sum, one) => sum + one, 0) >= count) until ??= performance.now() + 100;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return taken;
}

describe('limits of several processes', () => {
  it.each([
    ['rpm', { rpm: 40 }],
    ['max_in_flight', { maxInFlight: 40 }],
  ])('never exceed %s together, and use all of it', async (_name, settings) => {
    const processes = await Promise.all(Array.from({ length: 4 }, () => open(settings)));
    const taken = await takeAll(processes, 40);
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(40);
  });

  it('give a busy process what idle ones hold', async () => {
    const [busy] = await Promise.all(Array.from({ length: 4 }, () => open({ rpm: 20 })));
    if (!busy) throw new Error('unreachable');
    expect(await takeAll([busy], 20)).toEqual([20]);
  });

  it('give a new process its part before it starts', async () => {
    await open({ rpm: 10, maxInFlight: 10 }, { intervalMs: 50 });
    const second = await open({ rpm: 10, maxInFlight: 10 });
    expect(only(second).take(tokens)).toBeDefined();
  });

  it('give a new process an equal part once others stop to use more', async () => {
    const first = await open({ maxInFlight: 10 });
    const uses = Array.from({ length: 10 }, () => only(first).take(tokens));
    expect(uses.every((use) => use !== undefined)).toBe(true);
    const second = await open({ maxInFlight: 10 });
    expect(only(second).take(tokens)).toBeUndefined();
    for (const use of uses) use?.end();
    let taken = 0;
    await expect.poll(() => (only(second).take(tokens) ? (taken += 1) : taken)).toBeGreaterThanOrEqual(5);
  });

  it('keep what a process that died has used', async () => {
    const first = await open({ rpm: 10 }, { intervalMs: 3_600_000 });
    for (let sent = 0; sent < 10; sent += 1) expect(only(first).take(tokens)).toBeDefined();
    const second = await open({ rpm: 10 });
    expect(await takeAll([second], 0)).toEqual([0]);
  });

  it('are free after a process stopped, except what it used in the last minute', async () => {
    const first = await open({ rpm: 10, maxInFlight: 10 });
    for (let sent = 0; sent < 4; sent += 1) only(first).take(tokens)?.end();
    await first.close();
    const second = await open({ rpm: 10, maxInFlight: 10 });
    expect(await takeAll([second], 6)).toEqual([6]);
  });

  it('count the calls of a credential that was removed and came back', async () => {
    const credentials = await open({ maxInFlight: 3 });
    const use = only(credentials).take(tokens);
    const other = { ...ONE, account: 'acme.two', name: 'two' };
    credentials.configure([other]);
    credentials.configure([{ ...ONE, maxInFlight: 3 }, other]);
    expect(only(credentials).take(tokens)).toBeUndefined();
    expect(await takeAll([credentials], 2)).toEqual([2]);
    use?.end();
    expect(only(credentials).take(tokens)).toBeDefined();
  });

  it('end if Redis is unavailable for longer than the lease can be used, unless outages are allowed', async () => {
    const own = openRedis(testRedis().redisUrl);
    const [strict, lenient] = [
      await open({ rpm: 10 }, { redis: own }),
      await open({ rpm: 10 }, { redis: own, refusesOnOutage: false }),
    ];
    await expect.poll(() => [strict, lenient].map((process) => only(process).shares.get('rpm')?.held)).toEqual([5, 5]);
    own.disconnect();
    now += 20_000;
    expect(only(strict).take(tokens)).toBeDefined();
    now += 20_000;
    expect(only(strict).take(tokens)).toBeUndefined();
    expect(only(strict).waitMs(tokens)).toBeGreaterThan(0);
    expect(only(lenient).take(tokens)).toBeDefined();
  });
});

describe('rests', () => {
  it('reach the other processes, and end there too', async () => {
    const [here, there] = [await open({}), await open({})];
    only(here).restFor({ reason: 'rejected' });
    await expect.poll(() => only(there).isResting).toBe(true);
    expect(only(there).take(tokens)).toBeUndefined();
    now += 61_000;
    // One call tests the credential.
    const test = only(here).take(tokens);
    expect(test).toBeDefined();
    expect(only(here).take(tokens)).toBeUndefined();
    only(here).succeeded();
    expect(only(here).rest).toBeUndefined();
    await expect.poll(() => only(there).rest).toBeUndefined();
  });

  it('last as long as the vendor says, or double until a call succeeds', () => {
    const credentials = createCredentials({
      redis,
      prefix,
      process: 'p',
      settings: [ONE],
      refusesOnOutage: true,
      now: () => now,
      unixNow: () => unixNow,
    });
    const credential = only(credentials);
    credential.restFor({ reason: 'rate_limited', ms: 7_000 });
    expect(credential.waitMs(tokens)).toBe(7_000);
    // Another call that was under way.
    credential.restFor({ reason: 'rate_limited' });
    expect(credential.waitMs(tokens)).toBe(7_000);
    now += 7_000;
    credential.succeeded();
    for (const wait of [1_000, 2_000, 4_000]) {
      credential.restFor({ reason: 'rate_limited' });
      expect(credential.waitMs(tokens)).toBe(wait);
      now += wait;
    }
  });

  it('test a rejected credential with one call at a time, less and less often', async () => {
    const credential = only(await open({}));
    for (const wait of [60_000, 120_000, 240_000]) {
      credential.restFor({ reason: 'rejected' });
      // Another call that was under way.
      credential.restFor({ reason: 'rejected' });
      expect(credential.waitMs(tokens)).toBe(wait);
      now += wait;
      expect([credential.take(tokens), credential.take(tokens)]).toEqual([expect.anything(), undefined]);
    }
  });

  it('keep their state when the settings change', async () => {
    const credentials = await open({ rpm: 10 });
    const credential = only(credentials);
    for (let sent = 0; sent < 4; sent += 1) credential.take(tokens);
    credential.restFor({ reason: 'quota', ms: 5_000 });
    credentials.configure([
      { ...ONE, weight: 3, rpm: 5 },
      { ...ONE, account: 'acme.two', name: 'two' },
    ]);
    expect(credentials.find('acme.one')).toBe(credential);
    expect(credential).toMatchObject({ weight: 3, isResting: true });
    expect(credential.shares.get('rpm')).toMatchObject({ limit: 5, used: 4 });
    expect(credentials.poolOf('acme')).toHaveLength(2);
  });
});

it('a replaced secret does not inherit the rest of the former one', async () => {
  const [here, there] = [await open({ secretHash: 'a' }), await open({ secretHash: 'a' })];
  only(here).restFor({ reason: 'rejected' });
  await expect.poll(() => only(there).isResting).toBe(true);
  here.configure([{ ...ONE, secretHash: 'b' }]);
  expect(only(here).rest).toBeUndefined();
  // The other process still uses the former secret.
  now += 61_000;
  only(there).restFor({ reason: 'rejected' });
  const observer = await open({ secretHash: 'a' });
  await expect.poll(() => only(observer).isResting).toBe(true);
  expect([only(here).rest, only(there).rest?.reason]).toEqual([undefined, 'rejected']);
  there.configure([{ ...ONE, secretHash: 'b' }]);
  expect(only(there).rest).toBeUndefined();
});

describe('budgets', () => {
  it('let a credential rest in all processes until the period ends', async () => {
    const budget = { nanos: 1_000, period: 'day' } as const;
    const [here, there] = [await open({ budget }), await open({ budget })];
    here.spend('acme.one', 600);
    there.spend('acme.one', 500);
    await expect.poll(() => [only(here).rest?.reason, only(there).rest?.reason]).toEqual(['budget', 'budget']);
    expect(only(here).rest?.ms).toBe(12 * 3_600_000);
    unixNow += 12 * 3_600_000 + 1;
    await expect.poll(() => only(here).spentNanos).toBe(0);
    now += 12 * 3_600_000 + 1;
    expect(only(here).take(tokens)).toBeDefined();
  });
});
