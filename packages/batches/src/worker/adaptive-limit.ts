import { LatencyTrend } from './latency-trend.ts';

/** How a line ended for the upstream. */
export type SlotResult =
  | { result: 'served'; ms: number }
  /** The upstream is overloaded, or it refused the line by a rate limit. */
  | { result: 'overloaded'; retryAfterMs: number }
  /** The upstream was not called, or its state is unknown. */
  | { result: 'none' };

export interface AdaptiveLimitOptions {
  /** Maximum lines in flight. */
  max: number;
  /** Returns milliseconds. */
  now: () => number;
}

const FIRST_LIMIT = 4;
/** After consecutive refusals, the limit is zero for 1 s, 2 s, and so on. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** The limit grows by one for each round, or by this part of it. */
const GROWTH = 0.1;
/** The part of the limit that the upstream refused which lines use for some time. */
const HEADROOM = 0.8;
/** Above that part, the limit grows by this part of a slot for each round. */
const SLOW_STEP = 0.05;
/** The part of the capacity of an upstream with a queue which lines use. */
const QUEUE_HEADROOM = 0.6;
/** A capacity that was found by its latency is forgotten after this time, because it may have changed. */
const CAPACITY_MS = 15 * 60_000;

/**
 * The maximum number of lines in flight at one upstream, which adapts so that batches use what other traffic leaves over
 * (additive increase, multiplicative decrease). It grows each time that all slots were used successfully. If the upstream
 * refuses a line, the limit is halved. Near the limit that was refused, it grows slowly, so that other traffic is seldom
 * refused.
 *
 * An upstream that queues requests refuses none, but its latency rises. The rise shows how many of the lines wait. The
 * limit then becomes a part of those that do not wait, and stays for some time, so that other traffic does not wait.
 */
export class AdaptiveLimit {
  readonly #options: AdaptiveLimitOptions;
  readonly #latency = new LatencyTrend();
  #limit: number;
  #pausedUntil = 0;
  #refusals = 0;
  /** The upstream refused lines above this limit. */
  #ceiling = Number.POSITIVE_INFINITY;
  /** Set if the ceiling was found by the latency. */
  #capacityUntil = 0;
  #decreasedAt = Number.NEGATIVE_INFINITY;

  constructor(options: AdaptiveLimitOptions) {
    this.#options = options;
    this.#limit = Math.min(FIRST_LIMIT, options.max);
  }

  /** A whole number of lines, at least 1. */
  get value(): number {
    return Math.floor(this.#limit);
  }

  /** No line may be sent before this time, in milliseconds. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** Adapts to the end of a line. @param wasFull whether all slots were in use since the line got its slot */
  adapt(ended: SlotResult, wasFull: boolean): void {
    if (ended.result === 'overloaded') {
      this.#onRefusal(ended.retryAfterMs);
    } else if (ended.result === 'served') {
      this.#refusals = 0;
      const rise = this.#latencyRise(ended.ms);
      if (rise !== undefined) this.#setCapacity(rise);
      else if (wasFull) this.#increase();
    }
  }

  #onRefusal(retryAfterMs: number): void {
    const now = this.#options.now();
    // The refusals of lines that were in flight together count once.
    if (this.#pausedUntil <= now) {
      this.#refusals = Math.min(this.#refusals + 1, 10);
      this.#ceiling = this.#limit * HEADROOM;
      this.#capacityUntil = 0;
      this.#decrease(this.#limit / 2);
    }
    const backoffMs = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** (this.#refusals - 1));
    this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.max(retryAfterMs, backoffMs));
  }

  #increase(): void {
    if (this.#limit >= this.#ceiling && this.#capacityUntil > 0) {
      if (this.#options.now() < this.#capacityUntil) return;
      this.#capacityUntil = 0;
      this.#ceiling = Number.POSITIVE_INFINITY;
    }
    const step = this.#limit < this.#ceiling ? Math.max(1, this.#limit * GROWTH) : SLOW_STEP;
    this.#limit = Math.min(this.#options.max, this.#limit + step / this.#limit);
  }

  #decrease(limit: number): void {
    this.#decreasedAt = this.#options.now();
    this.#latency.restart();
    this.#limit = Math.max(1, limit);
  }

  /** A latency that is n times the usual one means that the lines in flight are n times what the upstream serves at once. */
  #setCapacity(rise: number): void {
    this.#ceiling = Math.max(1, (this.#limit / rise) * QUEUE_HEADROOM);
    this.#capacityUntil = this.#options.now() + CAPACITY_MS;
    this.#decrease(this.#ceiling);
  }

  /** Returns undefined if the latency has not risen. */
  #latencyRise(ms: number): number | undefined {
    const now = this.#options.now();
    // Lines that were sent before the limit was decreased do not show its effect.
    if (now - ms < this.#decreasedAt) return undefined;
    const isLoadStable = this.#limit >= Math.min(this.#ceiling, this.#options.max);
    return this.#latency.add(ms, now, isLoadStable);
  }
}
