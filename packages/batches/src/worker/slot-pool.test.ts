import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { percentile, randomOf, simulate, times } from '../../test/limited-upstream.ts';
import { type Slot, SlotPool } from './slot-pool.ts';

const MAX = 32;
const never = new AbortController().signal;
let pool: SlotPool;
beforeEach(() => {
  vi.useFakeTimers();
  pool = new SlotPool({ max: MAX, now: Date.now });
});
afterEach(() => vi.useRealTimers());

/** Takes as many slots as the pool has. */
async function takeAll(owner = 'alice'): Promise<Slot[]> {
  const free = pool.limit - pool.inFlight;
  return Promise.all(Array.from({ length: free }, () => pool.acquire(owner, never)));
}

async function serve(rounds: number, ms = 100): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const slot of await takeAll()) slot.end({ result: 'served', ms });
    vi.setSystemTime(Date.now() + ms);
  }
}

async function overload(retryAfterMs: number): Promise<void> {
  for (const slot of await takeAll()) slot.end({ result: 'overloaded', retryAfterMs });
}

describe('SlotPool', () => {
  it('grows by one for each round of lines that uses all slots, up to the maximum', async () => {
    expect(pool.limit).toBe(4);
    await serve(3);
    expect(pool.limit).toBeGreaterThanOrEqual(6);
    expect(pool.limit).toBeLessThanOrEqual(7);
    await serve(60);
    expect(pool.limit).toBe(MAX);
  });

  it('does not grow while slots are free', async () => {
    for (let count = 0; count < 100; count += 1) {
      const slot = await pool.acquire('alice', never);
      slot.end({ result: 'served', ms: 1 });
    }
    expect(pool.limit).toBe(4);
  });

  it('is halved by refusals, once for lines that were in flight together, and pauses', async () => {
    await serve(60);
    await overload(2_000);
    expect(pool.limit).toBe(MAX / 2);
    let isGranted = false;
    void pool.acquire('alice', never).then(() => (isGranted = true));
    await vi.advanceTimersByTimeAsync(1_900);
    expect(isGranted).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(isGranted).toBe(true);
  });

  it('grows slowly near the limit that the upstream refused', async () => {
    await serve(60);
    await overload(0);
    await vi.advanceTimersByTimeAsync(1_001);
    await serve(40);
    expect(pool.limit).toBeGreaterThanOrEqual(MAX * 0.75);
    expect(pool.limit).toBeLessThan(MAX * 0.9);
  });

  it('keeps one slot, and pauses longer, while refusals continue', async () => {
    for (let count = 0; count < 8; count += 1) {
      await overload(0);
      await vi.advanceTimersByTimeAsync(60_001);
    }
    expect(pool.limit).toBe(1);
    await overload(0);
    let isGranted = false;
    void pool.acquire('alice', never).then(() => (isGranted = true));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(isGranted).toBe(false);
  });

  it('leaves headroom for a quarter of an hour if the latency rises', async () => {
    await serve(60);
    await serve(2, 1_000);
    const { limit } = pool;
    expect(limit).toBeLessThanOrEqual(MAX / 2);
    await serve(60);
    expect(pool.limit).toBe(limit);
    await vi.advanceTimersByTimeAsync(15 * 60_000);
    await serve(60);
    expect(pool.limit).toBe(MAX);
  });

  it.each([
    ['8 requests', 8, 200],
    ['32 requests', 32, 500],
  ])(
    'delays the slowest requests of clients by at most a fifth at an upstream that serves %s at once',
    async (...row) => {
      const [, capacity, meanMs] = row;
      // Of the same seed, because the slowest requests are chance.
      const upstream = () => ({ capacity, serviceMs: times(meanMs), clients: 5, random: randomOf(1), max: 64 });
      const without = await simulate(upstream(), { minutes: 12, hasBatch: false });
      const beside = await simulate(upstream(), { minutes: 12, hasBatch: true });
      expect(percentile(beside.clients, 0.99)).toBeLessThan(1.2 * percentile(without.clients, 0.99));
      const linesAtCapacity = (capacity / meanMs) * 1_000 - 5;
      expect(beside.lines).toBeGreaterThan(0.5 * linesAtCapacity);
    },
  );

  it('uses all slots at an upstream without a limit, also if the latencies differ much', async () => {
    const upstream = { capacity: 10_000, serviceMs: times(200, 1), clients: 1, random: randomOf(1), max: MAX };
    const { lines } = await simulate(upstream, { minutes: 12, hasBatch: true });
    expect(lines).toBeGreaterThan(0.95 * (MAX / 0.2));
  });

  it('serves owners in turn, also if one has more lines waiting', async () => {
    const slots = await takeAll();
    const served: string[] = [];
    const wait = (owner: string) => void pool.acquire(owner, never).then(() => served.push(owner));
    for (let count = 0; count < 4; count += 1) wait('alice');
    wait('bob');
    wait('bob');
    for (const slot of slots) slot.end({ result: 'none' });
    await vi.advanceTimersByTimeAsync(0);
    expect(served).toEqual(['alice', 'bob', 'alice', 'bob']);
  });

  it('gives an owner no slots while its key is limited, but others', async () => {
    pool.pauseOwner('alice', 5_000);
    const served: string[] = [];
    for (const owner of ['alice', 'bob']) void pool.acquire(owner, never).then(() => served.push(owner));
    await vi.advanceTimersByTimeAsync(4_000);
    expect(served).toEqual(['bob']);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(served).toEqual(['bob', 'alice']);
  });

  it('stops waiting if the signal aborts, and gives the slot to the next', async () => {
    const [slot] = await takeAll();
    const stop = new AbortController();
    const stopped = pool.acquire('alice', stop.signal);
    const next = pool.acquire('alice', never);
    stop.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    slot?.end({ result: 'none' });
    slot?.end({ result: 'none' });
    await next;
    expect(pool.inFlight).toBe(4);
    await expect(pool.acquire('alice', stop.signal)).rejects.toThrow('stopped');
  });
});
