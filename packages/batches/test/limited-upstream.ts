import { SlotPool } from '../src/worker/slot-pool.ts';

export interface LimitedUpstream {
  /** Requests that the upstream serves at once. Others wait, in the order of their arrival. */
  capacity: number;
  /** Returns the time to serve a request, in milliseconds. */
  serviceMs: () => number;
  /** Requests of clients per second. */
  clients: number;
  /** Returns a number from 0 to 1. */
  random: () => number;
  /** Maximum lines in flight. */
  max: number;
}

export interface Latencies {
  /** Of the requests of clients after the first minutes, in ascending order. */
  clients: number[];
  /** Lines per second. */
  lines: number;
}

interface Event {
  at: number;
  run: () => void;
}

const MINUTE_MS = 60_000;
/** Ignored, because the batch learns the capacity. */
const WARM_UP_MS = 2 * MINUTE_MS;

/** Simulates an upstream that serves clients, and a batch with endless lines. Its clock is not the real one. */
export async function simulate(
  { capacity, serviceMs, clients, random, max }: LimitedUpstream,
  { minutes, hasBatch }: { minutes: number; hasBatch: boolean },
): Promise<Latencies> {
  const events: Event[] = [];
  const waiting: { at: number; done: (ms: number) => void }[] = [];
  const latencies: number[] = [];
  let now = 0;
  let busy = 0;
  let lines = 0;
  const at = (time: number, run: () => void): void => {
    const index = events.findLastIndex((event) => event.at <= time) + 1;
    events.splice(index, 0, { at: time, run });
  };
  const serve = (): void => {
    while (busy < capacity) {
      const next = waiting.shift();
      if (!next) return;
      busy += 1;
      at(now + serviceMs(), () => {
        busy -= 1;
        next.done(now - next.at);
        serve();
      });
    }
  };
  const send = (done: (ms: number) => void): void => {
    waiting.push({ at: now, done });
    serve();
  };
  const arrive = (): void => {
    const isMeasured = now > WARM_UP_MS;
    send((ms) => isMeasured && latencies.push(ms));
    at(now - (Math.log(1 - random()) / clients) * 1_000, arrive);
  };
  at(0, arrive);

  const pool = new SlotPool({ max, now: () => now });
  const line = (): void =>
    void pool.acquire('alice', new AbortController().signal).then((slot) =>
      send((ms) => {
        if (now > WARM_UP_MS) lines += 1;
        slot.end({ result: 'served', ms });
        line();
      }),
    );
  if (hasBatch) for (let count = 0; count < max; count += 1) line();

  const endMs = WARM_UP_MS + minutes * MINUTE_MS;
  for (let event = events.shift(); event && event.at < endMs; event = events.shift()) {
    now = event.at;
    event.run();
    // The pool grants slots by promises.
    for (let turn = 0; turn < 6; turn += 1) await Promise.resolve();
  }
  return { clients: latencies.toSorted((a, b) => a - b), lines: lines / (minutes * 60) };
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Returns a generator of numbers from 0 to 1: mulberry32, which is short and sufficiently random. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a generator of log-normal times. @param spread the standard deviation as a part of the mean */
export function times(meanMs: number, spread = 0.3): () => number {
  const random = randomOf(2);
  const sigma = Math.sqrt(Math.log(1 + spread ** 2));
  return () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return meanMs * Math.exp(sigma * normal - sigma ** 2 / 2);
  };
}
