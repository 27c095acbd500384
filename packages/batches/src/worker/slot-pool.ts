import { AdaptiveLimit, type AdaptiveLimitOptions, type SlotResult } from './adaptive-limit.ts';

/** The right to have one line in flight at an upstream. */
export interface Slot {
  /** Has an effect only once. */
  end(result: SlotResult): void;
}

interface Waiter {
  grant: (slot: Slot) => void;
  isCancelled: boolean;
}

/** The lines in flight of one worker at one upstream, up to an {@link AdaptiveLimit}. Owners get slots in turn. */
export class SlotPool {
  readonly #now: () => number;
  readonly #limit: AdaptiveLimit;
  /** By owner. The first owner was served longest ago. */
  readonly #waiting = new Map<string, Waiter[]>();
  readonly #ownerPauses = new Map<string, number>();
  #inFlight = 0;
  /** The number of slots given so far, and that number when all slots were last in use. */
  #given = 0;
  #givenWhenFull = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: AdaptiveLimitOptions) {
    this.#now = options.now;
    this.#limit = new AdaptiveLimit(options);
  }

  get limit(): number {
    return this.#limit.value;
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
    const until = this.#now() + ms;
    this.#ownerPauses.set(owner, Math.max(until, this.#ownerPauses.get(owner) ?? 0));
  }

  #grantSlots(): void {
    clearTimeout(this.#timer);
    const now = this.#now();
    while (this.#inFlight < this.limit && this.#limit.pausedUntil <= now) {
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
    const next = Math.max(this.#limit.pausedUntil, Math.min(...pauses));
    if (next > now) this.#timer = setTimeout(() => this.#grantSlots(), next - now).unref();
  }

  #slot(number: number): Slot {
    let isOpen = true;
    return {
      end: (result) => {
        if (!isOpen) return;
        isOpen = false;
        this.#inFlight -= 1;
        this.#limit.adapt(result, this.#givenWhenFull >= number);
        this.#grantSlots();
      },
    };
  }
}
