import type { BudgetPeriod } from './limiter.ts';
import { concurrencyShare, minuteShare, RETRY_MS, type Share, type Taken } from './share.ts';

/** A credential of an upstream's pool, without its secret. */
export interface CredentialSettings {
  /** Unique name of the vendor account, which is the same in all processes. */
  account: string;
  upstream: string;
  /** Undefined for an upstream without a pool, whose only credential never rests. */
  name?: string | undefined;
  /** The share of the traffic. With 0, the credential gets no new conversations. */
  weight: number;
  /** A short hash of the secret. If it changes, the new credential does not rest. */
  secretHash?: string | undefined;
  rpm?: number | undefined;
  tpm?: number | undefined;
  maxInFlight?: number | undefined;
  budget?: { nanos: number; period: BudgetPeriod } | undefined;
}

/**
 * Why a credential rests.
 *
 * - `rate_limited`: the vendor reported that its rate limit is reached.
 * - `quota`: the vendor reported that its quota or balance is exhausted.
 * - `rejected`: the vendor rejected it. One call at a time tests it again.
 * - `budget`: its budget is spent.
 */
export type RestReason = 'rate_limited' | 'quota' | 'rejected' | 'budget';

export interface Rest {
  reason: RestReason;
  /** Milliseconds, or infinite for a spent budget that never resets. Undefined if the vendor reported no time. */
  ms?: number | undefined;
}

/** Names of the limits in Redis and in the admin API. */
export type LimitName = 'rpm' | 'tpm' | 'max_in_flight';

/** A call that a credential serves. */
export interface CredentialUse {
  readonly credential: Credential;
  /** Replaces the estimated tokens with the reported ones. */
  correctTokens(tokens: number): void;
  /** The call has ended. Repeated calls have no effect. */
  end(): void;
}

export interface CredentialHooks {
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  /** Called when this process lets the credential rest, or ends its rest. */
  onChange(credential: Credential, change: Rest | 'ready'): void;
}

/** Without a time from the vendor, a rest takes this long, and twice as long each time until a call succeeds. */
const FIRST_REST_MS: Readonly<Record<RestReason, number>> = {
  rate_limited: 1_000,
  quota: 600_000,
  rejected: 60_000,
  budget: 60_000,
};
const MAX_REST_MS: Readonly<Record<RestReason, number>> = {
  rate_limited: 60_000,
  quota: 3_600_000,
  rejected: 3_600_000,
  budget: 3_600_000,
};

/** The state of a credential in this process. It outlives changes of the configuration. */
export class Credential {
  readonly account: string;
  readonly upstream: string;
  readonly name: string | undefined;
  /** Hash of the account name, by which conversations are spread over credentials. */
  readonly hash: number;
  weight: number;
  inFlight = 0;
  /** Calls in flight in other processes, as of the last exchange. */
  inFlightElsewhere = 0;
  budget: CredentialSettings['budget'];
  /** Spent since the last exchange, in nano-dollars. */
  unsentNanos = 0;
  /** Spent in the current period by all processes, as of the last exchange. */
  spentNanos = 0;
  /** Milliseconds from the last exchange until the budget resets. */
  budgetResetMs = 0;
  /** Decayed milliseconds until the first event. */
  firstEventMs: number | undefined;
  /** Until when this process may use its shares of the limits, in milliseconds of the monotonic clock. */
  sharesUntil = Number.POSITIVE_INFINITY;
  #rest: { reason: RestReason; until: number } | undefined;
  #rests = 0;
  /** Whether a call tests the rejected credential. */
  #isTesting = false;
  #secretHash: string | undefined;
  #shares = new Map<LimitName, Share>();
  readonly #hooks: CredentialHooks;

  constructor(settings: CredentialSettings, hooks: CredentialHooks) {
    this.upstream = settings.upstream;
    this.name = settings.name;
    this.account = settings.account;
    this.hash = hash32(this.account);
    this.weight = settings.weight;
    this.#hooks = hooks;
    this.#secretHash = settings.secretHash;
    this.configure(settings);
  }

  /** Applies new settings. */
  configure({ weight, secretHash, rpm, tpm, maxInFlight, budget }: CredentialSettings): void {
    this.weight = weight;
    this.budget = budget;
    // The next exchange finds out whether the new budget is spent too.
    if (this.#rest?.reason === 'budget') this.#rest = undefined;
    const isReplaced = this.#secretHash !== secretHash;
    this.#secretHash = secretHash;
    if (isReplaced) this.#forget();
    const { now } = this.#hooks;
    this.#setLimit('rpm', rpm, (limit) => minuteShare(limit, now));
    this.#setLimit('tpm', tpm, (limit) => minuteShare(limit, now));
    this.#setLimit('max_in_flight', maxInFlight, concurrencyShare);
  }

  get shares(): ReadonlyMap<LimitName, Share> {
    return this.#shares;
  }

  get secretHash(): string | undefined {
    return this.#secretHash;
  }

  get rest(): { reason: RestReason; ms: number } | undefined {
    if (!this.#rest) return undefined;
    const ms = this.#rest.until - this.#hooks.now();
    // A rejected credential stays out until a call succeeds.
    return ms > 0 || this.#rest.reason === 'rejected' ? { reason: this.#rest.reason, ms: Math.max(0, ms) } : undefined;
  }

  /** Whether a vendor's limit or rejection allows calls now. Ignores the shares of limits. */
  get isResting(): boolean {
    return this.#rest !== undefined && this.#rest.until > this.#hooks.now();
  }

  /** Milliseconds until the credential can serve a call, or 0. @param tokens estimates the call's tokens */
  waitMs(tokens: () => number): number {
    const resting = this.#rest === undefined ? 0 : Math.max(0, this.#rest.until - this.#hooks.now());
    if (this.#shares.size === 0 || resting > 0) return resting;
    let wait = this.#hooks.now() > this.sharesUntil ? RETRY_MS : 0;
    for (const [name, share] of this.#shares) wait = Math.max(wait, share.waitMs(name === 'tpm' ? tokens() : 1));
    return wait;
  }

  /** Starts a call. @returns undefined if the credential cannot serve it now */
  take(tokens: () => number): CredentialUse | undefined {
    if (this.isResting) return undefined;
    const taken = this.#shares.size === 0 ? NOTHING : this.#takeShares(tokens);
    if (!taken) return undefined;
    // One call tests a rejected credential.
    if (this.#rest?.reason === 'rejected') {
      this.#rest.until = this.#hooks.now() + FIRST_REST_MS.rejected;
      this.#isTesting = true;
    }
    this.inFlight += 1;
    let isOpen = true;
    return {
      credential: this,
      correctTokens: (count) => taken.tokens?.correct(count),
      end: () => {
        if (!isOpen) return;
        isOpen = false;
        this.inFlight -= 1;
        for (const one of taken.all) one.release();
      },
    };
  }

  /** The credential rests after a refusal. A shorter rest does not replace a longer one. */
  restFor({ reason, ms }: Rest): void {
    const now = this.#hooks.now();
    if (this.name === undefined) return;
    // Other calls were under way when the vendor refused the first one.
    if (ms === undefined && this.isResting && this.#rest?.reason === reason && !this.#isTesting) return;
    this.#isTesting = false;
    const wait = ms ?? Math.min(MAX_REST_MS[reason], FIRST_REST_MS[reason] * 2 ** Math.min(this.#rests, 16));
    this.#rests += 1;
    const until = now + wait;
    if (this.#rest && this.#rest.reason === reason && this.#rest.until >= until) return;
    if (this.#rest && this.#rest.until > until && this.#rest.reason !== 'rejected') return;
    this.#rest = { reason, until };
    this.#hooks.onChange(this, { reason, ms: wait });
  }

  /** A call succeeded, so the vendor accepts the credential. */
  succeeded(): void {
    this.#rests = 0;
    this.#isTesting = false;
    if (this.#rest?.reason !== 'rejected') return;
    this.#rest = undefined;
    this.#hooks.onChange(this, 'ready');
  }

  /** Applies the decision of another process. @param rest undefined if the rest has ended */
  adopt(rest: { reason: RestReason; ms: number } | undefined): void {
    this.#rest = rest && { reason: rest.reason, until: this.#hooks.now() + rest.ms };
  }

  /** Adds a sample of the time until the first event, whose weight is a fifth. */
  observeFirstEvent(ms: number): void {
    this.firstEventMs = this.firstEventMs === undefined ? ms : this.firstEventMs * 0.8 + ms * 0.2;
  }

  #forget(): void {
    this.#rests = 0;
    if (!this.#rest) return;
    this.#rest = undefined;
    this.#hooks.onChange(this, 'ready');
  }

  #setLimit(name: LimitName, limit: number | undefined, create: (limit: number) => Share): void {
    const share = this.#shares.get(name);
    if (limit === undefined) this.#shares.delete(name);
    else if (share) {
      share.limit = limit;
      // The amount in use counts against the new limit too.
      share.hold(Math.min(share.held, limit));
    } else this.#shares.set(name, create(limit));
  }

  #takeShares(tokens: () => number): { all: Taken[]; tokens?: Taken } | undefined {
    if (this.#hooks.now() > this.sharesUntil) return undefined;
    const all: Taken[] = [];
    let counted: Taken | undefined;
    for (const [name, share] of this.#shares) {
      const one = share.take(name === 'tpm' ? tokens() : 1);
      if (!one) {
        for (const other of all) {
          other.correct(0);
          other.release();
        }
        return undefined;
      }
      if (name === 'tpm') counted = one;
      all.push(one);
    }
    return { all, ...(counted && { tokens: counted }) };
  }
}

const NOTHING: { all: Taken[]; tokens?: Taken } = { all: [] };

/** FNV-1a with a final mix, so that similar names differ in every bit. @returns an unsigned 32-bit integer */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mix32(hash);
}

/** The finalizer of MurmurHash3. */
export function mix32(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
