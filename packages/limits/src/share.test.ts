import { describe, expect, it } from 'vitest';
import { concurrencyShare, minuteShare } from './share.ts';

describe('minuteShare', () => {
  it('never lets more than it holds into any 60 seconds', () => {
    let now = 0;
    const share = minuteShare(10, () => now);
    share.hold(10);
    const moments: number[] = [];
    for (let step = 0; step < 500; step += 1) {
      now = step * 777;
      if (share.take(1)) moments.push(now);
    }
    for (const from of moments) {
      expect(moments.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(10);
    }
    expect(moments.length).toBeGreaterThan(50);
  });

  it('serves nothing before it holds a part', () => {
    const share = minuteShare(10, () => 0);
    expect([share.take(1), share.waitMs(1)]).toEqual([undefined, 500]);
  });

  it('reports a wait after which a call succeeds', () => {
    let now = 250;
    const share = minuteShare(5, () => now);
    share.hold(5);
    for (let sent = 0; sent < 5; sent += 1) {
      expect(share.take(1)).toBeDefined();
      now += 3_000;
    }
    const wait = share.waitMs(1);
    now += wait - 1;
    expect(share.take(1)).toBeUndefined();
    now += 1;
    expect(share.take(1)).toBeDefined();
    expect(share.take(1)).toBeUndefined();
  });

  it('replaces an estimate with the actual amount', () => {
    const share = minuteShare(100, () => 0);
    share.hold(100);
    const large = share.take(80);
    expect(share.take(30)).toBeUndefined();
    large?.correct(10);
    const other = share.take(30);
    other?.correct(90);
    expect(share.used).toBe(100);
  });

  it('treats a call larger than the limit as large as the limit', () => {
    const share = minuteShare(100, () => 0);
    share.hold(100);
    expect(share.take(1_000_000)).toBeDefined();
    expect(share.take(1)).toBeUndefined();
  });

  it('wants nothing while it is idle, and more than it uses otherwise', () => {
    const share = minuteShare(100, () => 0);
    expect(share.report()).toEqual({ limit: 100, held: 0, wanted: 0 });
    share.take(7);
    expect(share.report()).toEqual({ limit: 100, held: 0, wanted: 8 });
    share.hold(50);
    share.take(10);
    expect(share.report()).toEqual({ limit: 100, held: 50, wanted: 12 });
  });
});

describe('hold', () => {
  it('never falls below what is in use', () => {
    const share = minuteShare(100, () => 0);
    share.hold(50);
    share.take(20);
    share.hold(5);
    expect([share.held, share.take(1)]).toEqual([20, undefined]);
  });
});

describe('concurrencyShare', () => {
  it('counts calls until they are released, each once', () => {
    const share = concurrencyShare(2);
    share.hold(2);
    const [one, two] = [share.take(1), share.take(1)];
    expect(share.take(1)).toBeUndefined();
    one?.release();
    one?.release();
    expect(share.take(1)).toBeDefined();
    expect(share.take(1)).toBeUndefined();
    two?.release();
    expect(share.waitMs(1)).toBe(0);
  });
});
