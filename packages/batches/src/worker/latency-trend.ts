/** Weight of a new latency in the recent latency. */
const RECENT = 0.03;
/** The usual latency changes over this time. */
const USUAL_MS = 10 * 60_000;
/** With fewer latencies, the usual latency is not known. */
const MIN_LATENCIES = 50;
/** The smallest rise of the latency that counts. */
const MIN_RISE = Math.log(1.25);
/** A rise must have this many standard errors, because latencies also differ by chance. */
const MIN_ERRORS = 5;

/**
 * Compares the recent latency of an upstream with its usual latency. Both are means of logarithms, so that few long
 * latencies matter little.
 */
export class LatencyTrend {
  /** The number of latencies in the usual latency. */
  #count = 0;
  /** Logarithms of milliseconds. */
  #recent = 0;
  #usual = 0;
  #variance = 0;
  #addedAt = 0;

  /**
   * Adds a latency. Both times are in milliseconds.
   * @param isLoadStable false while the load grows. The usual latency then changes only over time, so that it does not
   * follow the queue that the load itself causes
   * @returns the ratio of the recent latency to the usual one; undefined if it has not risen, or if it can be chance
   */
  add(ms: number, now: number, isLoadStable: boolean): number | undefined {
    const value = Math.log(Math.max(1, ms));
    const isUsual = isLoadStable || this.#count < MIN_LATENCIES;
    if (isUsual) this.#count += 1;
    const mean = 1 / this.#count;
    const elapsed = 1 - Math.exp((this.#addedAt - now) / USUAL_MS);
    const weight = Math.max(RECENT, mean);
    this.#recent += (value - this.#recent) * weight;
    this.#variance += ((value - this.#recent) ** 2 - this.#variance) * weight;
    this.#usual += (value - this.#usual) * (isUsual ? Math.max(mean, elapsed) : elapsed);
    this.#addedAt = now;
    const rise = this.#recent - this.#usual;
    const isRise = rise > Math.max(MIN_RISE, MIN_ERRORS * Math.sqrt((this.#variance * RECENT) / 2));
    return isRise && this.#count >= MIN_LATENCIES ? Math.exp(rise) : undefined;
  }

  /** Forgets the recent latency, after a change of the load. */
  restart(): void {
    this.#recent = this.#usual;
  }
}
