import type { AttemptTrace } from '@sluice/telemetry';
import type { CredentialUse } from '@sluice/limits';
import { type AttemptTarget, type FallbackOptions, type FallbackTarget, withFallback } from '../with-fallback.ts';

export interface Hedge<T, R> {
  /** Milliseconds without an event after which a second target is called. */
  afterMs: number;
  /** Whether a second call of the request does no harm at this target. */
  isIdempotent: (target: T) => boolean;
  /** Called with a target whose call is aborted, because the other one has responded first. */
  onLost: (target: T) => void;
  /** Discards a response that began after the other one. */
  discard: (late: R) => void;
}

type HedgedAttempt<T, R> = (target: T, trace: AttemptTrace | undefined, signal: AbortSignal) => Promise<R>;

/**
 * Like {@link withFallback}, but if nothing has responded in time, the next target is called too. The first response is
 * used, and the other call is aborted. Each target is called at most once.
 * @throws GatewayError the error of the first call, if both fail
 */
export async function withHedging<T extends FallbackTarget, R>(
  targets: readonly T[],
  attempt: HedgedAttempt<T, R>,
  options: FallbackOptions,
  hedge: Hedge<T, R>,
): Promise<R> {
  const called: T[] = [];
  const claim = (target: T): boolean => {
    const isFree = !called.includes(target);
    if (isFree) called.push(target);
    return isFree;
  };
  const first = new CallSequence(targets, attempt, options, claim);
  if (!(await first.isLate(hedge.afterMs))) return first.result;
  const others = targets.filter((target) => !called.includes(target) && hedge.isIdempotent(target));
  const isIdempotent = first.current !== undefined && hedge.isIdempotent(first.current);
  if (others.length === 0 || !isIdempotent || options.mayRetry?.() === false) return first.result;
  const second = new CallSequence(others, attempt, options, claim);
  const winner = await Promise.any([first.won(), second.won()]).catch(() => undefined);
  if (!winner) return first.result;
  const loser = winner === first ? second : first;
  loser.lose(hedge);
  winner.win();
  return winner.result;
}

/** A sequence of attempts that can be aborted. */
class CallSequence<T extends FallbackTarget, R> {
  readonly result: Promise<R>;
  /** The target that is called. */
  current: T | undefined;
  readonly #options: FallbackOptions;
  readonly #aborter = new AbortController();
  #startedAt = 0;
  #use: CredentialUse | undefined;
  #isLost = false;
  #isDone = false;

  constructor(
    targets: readonly T[],
    attempt: HedgedAttempt<T, R>,
    options: FallbackOptions,
    claim: (target: T) => boolean,
  ) {
    this.#options = options;
    const signal = AbortSignal.any([options.signal, this.#aborter.signal]);
    const own: FallbackOptions = {
      ...options,
      signal,
      onUse: (use) => {
        this.#use = use;
      },
      onAttempt: (target, outcome) => this.#observe(target, outcome),
    };
    const call = (target: T, trace: AttemptTrace | undefined): Promise<R> => {
      this.current = target;
      this.#startedAt = performance.now();
      return attempt(target, trace, signal);
    };
    this.result = withFallback(targets, call, own, claim).finally(() => (this.#isDone = true));
    // The caller may use the result of the other sequence.
    this.result.catch(() => undefined);
  }

  /** Waits for the first result. @returns whether there is none after this time */
  async isLate(ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(true), ms);
    void this.result.then(
      () => resolve(false),
      () => resolve(false),
    );
    const isLate = await promise;
    clearTimeout(timer);
    return isLate;
  }

  async won(): Promise<this> {
    await this.result;
    return this;
  }

  win(): void {
    if (this.#use) this.#options.onUse?.(this.#use);
  }

  /** Aborts the call. Nothing that happens later counts for the request. */
  lose({ onLost, discard }: Hedge<T, R>): void {
    this.#isLost = true;
    const { current } = this;
    if (current && !this.#isDone) {
      const ms = Math.round(performance.now() - this.#startedAt);
      this.#options.onAttempt?.(current.target, { result: 'hedged', ms });
      onLost(current);
    }
    this.#aborter.abort(new Error('another upstream has responded first'));
    void this.#discard(discard);
  }

  async #discard(discard: (late: R) => void): Promise<void> {
    const late = await this.result.catch(() => undefined);
    if (late === undefined) return;
    this.#use?.end();
    discard(late);
  }

  #observe(target: AttemptTarget, outcome: Parameters<NonNullable<FallbackOptions['onAttempt']>>[1]): void {
    if (!this.#isLost) this.#options.onAttempt?.(target, outcome);
  }
}
