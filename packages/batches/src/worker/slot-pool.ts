/** How a line ended for the upstream. */
export type SlotResult =
  | { result: 'served'; ms: number }
  /** The upstream is overloaded, or it refused the line by a rate limit. */
  | { result: 'overloaded'; retryAfterMs: number }
  /** The upstream was not called, or its state is unknown. */
  | { result: 'none' };

/** The right to have one line in flight at an upstream. */
export interface Slot {
  /** Has an effect only once. */
  end(result: SlotResult): void;
}

export interface SlotPoolOptions {
  /** Maximum lines in flight. */
  max: number;
  /** Returns milliseconds. */
  now: () => number;
}

interface Waiter {
  grant: (slot: Slot) => void;
  isCancelled: boolean;
}

const FIRST_LIMIT = 4;
/** After consecutive refusals, the pool pauses for 1 s, 2 s, and so on. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
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
 * The lines in flight of one worker at one upstream. The limit adapts, so that batches use what other traffic leaves over.
 * It grows each time that all slots were used successfully. If the upstream refuses a line, the limit is halved. Near the
 * limit that was refused, it grows slowly, so that other traffic is seldom refused.
 *
 * An upstream that queues requests refuses none, but its latency rises. The rise shows how many of the lines wait. The
 * limit then becomes a part of those that do not wait, and stays for some time, so that other traffic does not wait.
 * Slots are given to owners in turn.
 */
export class SlotPool {
  readonly #options: SlotPoolOptions;
  /** By owner. The first owner was served longest ago. */
  readonly #waiting = new Map<string, Waiter[]>();
  readonly #ownerPauses = new Map<string, number>();
  #limit: number;
  #inFlight = 0;
  /** The number of slots given so far, and that number when all slots were last in use. */
  #given = 0;
  #givenWhenFull = 0;
  #pausedUntil = 0;
  #refusals = 0;
  /** The upstream refused lines above this limit. */
  #ceiling = Number.POSITIVE_INFINITY;
  /** Set if the ceiling was found by the latency. */
  #capacityUntil = 0;
  #decreasedAt = Number.NEGATIVE_INFINITY;
  #latencies = 0;
  /** Logarithms of latencies. */
  #recent = 0;
  #usual = 0;
  #variance = 0;
  #latencyAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SlotPoolOptions) {
    this.#options = options;
    this.#limit = Math.min(FIRST_LIMIT, options.max);
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Waits for a slot. @throws the signal's reason */
  async acquire(owner: string, signal: AbortSignal): Promise<Slot> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Slot>();
    const waiter: Waiter = { grant: resolve, isCancelled: false };
    const cancel = (): void => {
      waiter.isCancelled = true;
      reject(signal.reason as Error); // The cast is safe because reasons of this package are errors.
    };
    signal.addEventListener('abort', cancel, { once: true });
    const waiters = this.#waiting.get(owner);
    if (waiters) waiters.push(waiter);
    else this.#waiting.set(owner, [waiter]);
    this.#grantSlots();
    return promise.finally(() => signal.removeEventListener('abort', cancel));
  }

  /** Gives no slots to an owner for some time, e.g. because its key reached a rate limit. */
  pauseOwner(owner: string, ms: number): void {
    const until = this.#options.now() + ms;
    this.#ownerPauses.set(owner, Math.max(until, this.#ownerPauses.get(owner) ?? 0));
  }

  #grantSlots(): void {
    clearTimeout(this.#timer);
    const now = this.#options.now();
    while (this.#inFlight < this.limit && this.#pausedUntil <= now) {
      const waiter = this.#nextWaiter(now);
      if (!waiter) break;
      this.#inFlight += 1;
      this.#given += 1;
      if (this.#inFlight >= this.limit) this.#givenWhenFull = this.#given;
      waiter.grant(this.#slot(this.#given));
    }
    this.#wakeUp(now);
  }

  #nextWaiter(now: number): Waiter | undefined {
    for (const [owner, waiters] of this.#waiting) {
      if ((this.#ownerPauses.get(owner) ?? 0) > now) continue;
      this.#ownerPauses.delete(owner);
      let waiter = waiters.shift();
      while (waiter?.isCancelled) waiter = waiters.shift();
      this.#waiting.delete(owner);
      // The owner is now the last in turn.
      if (waiters.length > 0) this.#waiting.set(owner, waiters);
      if (waiter) return waiter;
    }
    return undefined;
  }

  /** Grants slots at the end of the first pause. */
  #wakeUp(now: number): void {
    if (this.#waiting.size === 0) return;
    const pauses = [...this.#waiting.keys()].map((owner) => this.#ownerPauses.get(owner) ?? 0);
    const next = Math.max(this.#pausedUntil, Math.min(...pauses));
    if (next > now) this.#timer = setTimeout(() => this.#grantSlots(), next - now).unref();
  }

  #slot(number: number): Slot {
    let isOpen = true;
    return {
      end: (result) => {
        if (!isOpen) return;
        isOpen = false;
        this.#inFlight -= 1;
        this.#adapt(result, this.#givenWhenFull >= number);
        this.#grantSlots();
      },
    };
  }

  #adapt(ended: SlotResult, wasFull: boolean): void {
    if (ended.result === 'overloaded') {
      const now = this.#options.now();
      // The refusals of lines that were in flight together count once.
      if (this.#pausedUntil <= now) {
        this.#refusals = Math.min(this.#refusals + 1, 10);
        this.#ceiling = this.#limit * HEADROOM;
        this.#capacityUntil = 0;
        this.#decrease(this.#limit / 2);
      }
      const backoffMs = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** (this.#refusals - 1));
      this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.max(ended.retryAfterMs, backoffMs));
    } else if (ended.result === 'served') {
      this.#refusals = 0;
      const rise = this.#latencyRise(ended.ms);
      if (rise !== undefined) this.#learnCapacity(rise);
      else if (wasFull) this.#increase();
    }
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
    this.#recent = this.#usual;
    this.#limit = Math.max(1, limit);
  }

  /** A latency that is n times the usual one means that the lines in flight are n times what the upstream serves at once. */
  #learnCapacity(rise: number): void {
    this.#ceiling = Math.max(1, (this.#limit / rise) * QUEUE_HEADROOM);
    this.#capacityUntil = this.#options.now() + CAPACITY_MS;
    this.#decrease(this.#ceiling);
  }

  /**
   * Compares the recent latency with the usual one. Both are means of logarithms, so that few long latencies matter little.
   * @returns the ratio of both; undefined if it can be chance
   */
  #latencyRise(ms: number): number | undefined {
    const now = this.#options.now();
    // Lines that were sent before the limit was decreased do not show its effect.
    if (now - ms < this.#decreasedAt) return undefined;
    const value = Math.log(Math.max(1, ms));
    // While the limit grows, the usual latency must not follow the queue that the lines themselves cause.
    const isStable = this.#latencies < MIN_LATENCIES || this.#limit >= Math.min(this.#ceiling, this.#options.max);
    if (isStable) this.#latencies += 1;
    const mean = 1 / this.#latencies;
    const elapsed = 1 - Math.exp((this.#latencyAt - now) / USUAL_MS);
    const weight = Math.max(RECENT, mean);
    this.#recent += (value - this.#recent) * weight;
    this.#variance += ((value - this.#recent) ** 2 - this.#variance) * weight;
    this.#usual += (value - this.#usual) * (isStable ? Math.max(mean, elapsed) : elapsed);
    this.#latencyAt = now;
    const rise = this.#recent - this.#usual;
    const isRise = rise > Math.max(MIN_RISE, MIN_ERRORS * Math.sqrt((this.#variance * RECENT) / 2));
    return isRise && this.#latencies >= MIN_LATENCIES ? Math.exp(rise) : undefined;
  }
}
