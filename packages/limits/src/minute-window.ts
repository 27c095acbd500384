const BUCKET_MS = 1_000;
/**
 * Amounts count for this time. Vendors count 60 s from a call's arrival, and calls can take up to two seconds longer to
 * arrive than earlier ones.
 */
const BUCKETS = 62;

/** The sum of the amounts of the last minute. */
export class MinuteWindow {
  readonly #buckets = new Float64Array(BUCKETS);
  readonly #now: () => number;
  #last: number;
  #sum = 0;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number) {
    this.#now = now;
    this.#last = Math.floor(now() / BUCKET_MS);
  }

  get sum(): number {
    this.advance();
    return Math.max(0, this.#sum);
  }

  /** Removes expired amounts. @returns the number of the current bucket */
  advance(): number {
    const current = Math.floor(this.#now() / BUCKET_MS);
    // After a full window, every bucket has been cleared once.
    const stop = Math.min(current, this.#last + BUCKETS);
    for (let bucket = this.#last + 1; bucket <= stop; bucket += 1) {
      this.#sum -= this.#buckets[bucket % BUCKETS] ?? 0;
      this.#buckets[bucket % BUCKETS] = 0;
    }
    this.#last = Math.max(this.#last, current);
    return this.#last;
  }

  /** Adds to a bucket. An expired bucket stays as it is. */
  add(bucket: number, amount: number): void {
    if (this.advance() - bucket >= BUCKETS) return;
    const at = bucket % BUCKETS;
    this.#buckets[at] = (this.#buckets[at] ?? 0) + amount;
    this.#sum += amount;
  }

  /** Milliseconds until the sum is at most `limit`. */
  msUntil(limit: number): number {
    const current = this.advance();
    let left = this.#sum;
    for (let age = BUCKETS - 1; age >= 0 && left > limit; age -= 1) {
      left -= this.#buckets[(current - age + BUCKETS) % BUCKETS] ?? 0;
      if (left <= limit) return Math.ceil((BUCKETS - age) * BUCKET_MS - (this.#now() % BUCKET_MS));
    }
    return 0;
  }
}
