import { describe, expect, it } from 'vitest';
import { createCredentialCache, type TimedCredential } from './credential-cache.ts';

const HOUR_MS = 3_600_000;

/** A cache whose loads the test ends one by one. */
function rig() {
  let time = 1_000_000;
  const loads: PromiseWithResolvers<TimedCredential<string>>[] = [];
  const failures: { error: unknown; isUsable: boolean }[] = [];
  const cache = createCredentialCache<string>({
    load: () => {
      const pending = Promise.withResolvers<TimedCredential<string>>();
      loads.push(pending);
      return pending.promise;
    },
    onFailure: (error, isUsable) => failures.push({ error, isUsable }),
    now: () => time,
  });
  return {
    cache,
    loads,
    failures,
    pass: (ms: number) => (time += ms),
    end: async (value: string, lifeMs = HOUR_MS, refreshAt?: number) => {
      loads.at(-1)?.resolve({ value, expiresAt: time + lifeMs, refreshAt });
      await settled();
    },
    fail: async (error: unknown) => {
      loads.at(-1)?.reject(error);
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a credential cache', () => {
  it('loads once for all calls that wait', async () => {
    const { cache, loads, end } = rig();
    const waiting = Promise.all([cache.get(), cache.get(), cache.get()].map(async (one) => one));
    await end('one');
    expect([await waiting, loads.length, cache.get(), cache.last()]).toEqual([['one', 'one', 'one'], 1, 'one', 'one']);
  });

  it('replaces a credential early, without a call that waits', async () => {
    const { cache, loads, pass, end } = rig();
    void cache.get();
    await end('one');
    pass(HOUR_MS - 300_001);
    expect([cache.get(), loads.length]).toEqual(['one', 1]);
    pass(1);
    expect([cache.get(), cache.get(), loads.length]).toEqual(['one', 'one', 2]);
    await end('two');
    expect([cache.get(), loads.length]).toEqual(['two', 2]);
  });

  it('replaces a credential when the vendor suggests it, and a short one after three quarters of its time', async () => {
    const suggested = rig();
    void suggested.cache.get();
    await suggested.end('one', HOUR_MS, 1_000_000 + 5_000);
    suggested.pass(5_000);
    expect([suggested.cache.get(), suggested.loads.length]).toEqual(['one', 2]);
    // A library that returns the same credential is not called for each call.
    await suggested.end('one', HOUR_MS - 5_000, 1_000_000 + 5_000);
    expect([suggested.cache.get(), suggested.loads.length]).toEqual(['one', 2]);

    const short = rig();
    void short.cache.get();
    await short.end('one', 4_000);
    short.pass(2_999);
    expect([short.cache.get(), short.loads.length]).toEqual(['one', 1]);
    short.pass(1);
    expect([short.cache.get(), short.loads.length]).toEqual(['one', 2]);
  });

  it('keeps a valid credential while loads fail, and pauses between them', async () => {
    const { cache, loads, failures, pass, end, fail } = rig();
    void cache.get();
    await end('one', 4_000);
    pass(3_000);
    expect(cache.get()).toBe('one');
    await fail(new Error('down'));
    expect([cache.get(), loads.length, failures]).toEqual(['one', 2, [{ error: new Error('down'), isUsable: true }]]);
    pass(1_000);
    const expired = cache.get();
    expect(loads.length).toBe(3);
    const refused = expect(expired).rejects.toThrow('still down');
    await fail(new Error('still down'));
    await refused;
    await expect(cache.get()).rejects.toThrow('still down');
    expect([loads.length, failures.at(-1)?.isUsable]).toEqual([3, false]);
    pass(2_000);
    const later = cache.get();
    await end('two');
    expect([await later, loads.length]).toEqual(['two', 4]);
  });

  it('drops a rejected credential once for all calls that used it', async () => {
    const { cache, loads, end } = rig();
    void cache.get();
    await end('one');
    expect([cache.reject('one'), cache.reject('one')]).toEqual([true, true]);
    const waiting = Promise.all([cache.get(), cache.get()].map(async (one) => one));
    await end('two');
    expect([await waiting, loads.length]).toEqual([['two', 'two'], 2]);
    // A late answer to a call with the former credential does not drop the new one.
    expect([cache.reject('one'), cache.get()]).toEqual([true, 'two']);
  });

  it('keeps a replacement that was never accepted for a minute', async () => {
    const { cache, pass, end } = rig();
    void cache.get();
    await end('one');
    cache.reject('one');
    void cache.get();
    await end('two');
    expect([cache.reject('two'), cache.get()]).toEqual([false, 'two']);
    pass(60_000);
    expect(cache.reject('two')).toBe(true);
    void cache.get();
    await end('three');
    cache.accept('three');
    expect(cache.reject('three')).toBe(true);
  });
});
