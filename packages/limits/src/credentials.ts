import { setTimeout } from 'node:timers/promises';
import { Credential, type CredentialHooks, type CredentialSettings, type Rest } from './credential.ts';
import {
  type AdoptedRest,
  type Announcement,
  exchangeOnce,
  type ExchangeOptions,
  USABLE_MS,
} from './credential-exchange.ts';

/** The credentials of all pools, with their state in this process. */
export interface Credentials {
  /** The credentials of an upstream's pool. Undefined if it has none. */
  poolOf(upstream: string): readonly Credential[] | undefined;
  find(account: string): Credential | undefined;
  all(): readonly Credential[];
  /**
   * Gets the parts of new credentials before `configure` puts them into use, so that no call is refused meanwhile.
   * Resolves after one second at the latest.
   */
  prepare(settings: readonly CredentialSettings[]): Promise<void>;
  /** Replaces the settings. Credentials with the same upstream and name keep their state. */
  configure(settings: readonly CredentialSettings[]): void;
  /** Counts the cost of a call towards the credential's budget. */
  spend(account: string, nanos: number): void;
  /** Begins to exchange state with the other processes. Resolves when this one has its parts, or after one second. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface CredentialsOptions extends ExchangeOptions {
  settings: readonly CredentialSettings[];
  /** Whether limits end with the lease if Redis is unavailable. Otherwise, the last parts of the limits stay. */
  refusesOnOutage: boolean;
  /** Called when a call of this process changes the state of a credential. */
  onChange?: (credential: Credential, change: Rest | 'ready') => void;
  /** Called when the exchange begins to fail, and when it works again. */
  onExchange?: (error?: unknown) => void;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
  intervalMs?: number;
}

const INTERVAL_MS = 250;
/** A process waits this long for its first parts of the limits, which others hold at that time. */
const START_WAIT_MS = 100;
const START_TRIES = 10;

/**
 * Keeps the state of credentials in memory, where requests use it, and exchanges it with the other processes through
 * Redis in the background. See `docs/extend/decisions/0030-pools-of-credentials.md`.
 */
export function createCredentials(options: CredentialsOptions): Credentials {
  return new CredentialRegistry(options);
}

class CredentialRegistry implements Credentials {
  readonly #options: CredentialsOptions;
  readonly #now: () => number;
  /** By account, also those that were removed: their calls may be under way, and they may come back. */
  readonly #known = new Map<string, Credential>();
  #credentials = new Map<string, Credential>();
  #pools = new Map<string, Credential[]>();
  #announcements: Announcement[] = [];
  /** The numbers of the rests that are in force, by account. */
  readonly #numbers = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isFailing = false;
  #isStarted = false;
  #isClosed = false;

  constructor(options: CredentialsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.configure(options.settings);
  }

  poolOf(upstream: string): readonly Credential[] | undefined {
    return this.#pools.get(upstream);
  }

  find(account: string): Credential | undefined {
    return this.#credentials.get(account);
  }

  all(): readonly Credential[] {
    return [...this.#credentials.values()];
  }

  async prepare(settings: readonly CredentialSettings[]): Promise<void> {
    const added = settings.filter(({ account }) => !this.#credentials.has(account));
    if (added.length === 0) return;
    for (const one of added) this.#credentials.set(one.account, this.#configured(one));
    // An exchange in progress does not contain the new ones.
    await this.#running;
    await this.#getShares();
  }

  configure(settings: readonly CredentialSettings[]): void {
    const next = new Map(settings.map((one) => [one.account, this.#configured(one)]));
    for (const [account, removed] of this.#credentials) {
      // If it comes back, other processes may hold its shares.
      if (!next.has(account)) removed.sharesUntil = Number.NEGATIVE_INFINITY;
    }
    this.#credentials = next;
    this.#pools = Map.groupBy(next.values(), ({ upstream }) => upstream);
    if (this.#isStarted) this.#schedule();
  }

  #configured(settings: CredentialSettings): Credential {
    const known = this.#known.get(settings.account);
    known?.configure(settings);
    const credential = known ?? new Credential(settings, this.#hooks());
    this.#known.set(settings.account, credential);
    return credential;
  }

  spend(account: string, nanos: number): void {
    const credential = this.#credentials.get(account);
    if (!credential?.budget) return;
    credential.unsentNanos += nanos;
    if (credential.spentNanos + credential.unsentNanos >= credential.budget.nanos) void this.#exchange();
  }

  async start(): Promise<void> {
    await this.#getShares();
    this.#isStarted = true;
    this.#schedule();
  }

  async #getShares(): Promise<void> {
    await this.#exchange();
    for (let tries = 0; tries < START_TRIES && !this.#isFailing && this.#lacksShare(); tries += 1) {
      await setTimeout(START_WAIT_MS);
      await this.#exchange();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#running;
    await this.#runExchange(true);
  }

  #lacksShare(): boolean {
    return [...this.#credentials.values()].some((one) => [...one.shares.values()].some(({ held }) => held === 0));
  }

  #hooks(): CredentialHooks {
    return {
      now: this.#now,
      onChange: (credential, change) => {
        const { account, secretHash } = credential;
        this.#announcements.push({ account, rest: change, secretHash });
        this.#options.onChange?.(credential, change);
        if (this.#isStarted) void this.#exchange();
      },
    };
  }

  #schedule(): void {
    if (this.#timer || this.#isClosed || this.#credentials.size === 0) return;
    this.#timer = setInterval(() => void this.#exchange(), this.#options.intervalMs ?? INTERVAL_MS);
    this.#timer.unref();
  }

  #exchange(): Promise<void> {
    return (this.#running ??= this.#runExchange().finally(() => (this.#running = undefined)));
  }

  async #runExchange(isLast = false): Promise<void> {
    const credentials = [...this.#credentials.values()];
    if (credentials.length === 0) return;
    const startedAt = this.#now();
    const announced = this.#announcements;
    this.#announcements = [];
    const { onExchange, refusesOnOutage } = this.#options;
    try {
      const rests = await exchangeOnce(this.#options, { credentials, announcements: announced, isLast });
      for (const adopted of rests) this.#adopt(adopted, announced);
      const sharesUntil = refusesOnOutage ? startedAt + USABLE_MS : Number.POSITIVE_INFINITY;
      for (const one of credentials) one.sharesUntil = sharesUntil;
      if (this.#isFailing) onExchange?.();
      this.#isFailing = false;
      for (const one of credentials) restIfSpent(one);
    } catch (error) {
      this.#announcements = [...announced, ...this.#announcements];
      if (!this.#isFailing && !this.#isClosed) onExchange?.(error);
      this.#isFailing = true;
    }
  }

  #adopt({ account, number, rest, secretHash }: AdoptedRest, announced: readonly Announcement[]): void {
    const credential = this.#credentials.get(account);
    if (!credential || (this.#numbers.get(account) ?? 0) >= number) return;
    this.#numbers.set(account, number);
    // The own announcement is already in force, and later ones of this process are on their way.
    const isOwn = [...announced, ...this.#announcements].some((one) => one.account === account);
    // During a reload, other processes may still use the former secret.
    if (isOwn || secretHash !== (credential.secretHash ?? '')) return;
    if (rest === undefined || rest.ms > 0) credential.adopt(rest);
  }
}

function restIfSpent(one: Credential): void {
  if (one.budget === undefined || one.spentNanos + one.unsentNanos < one.budget.nanos) return;
  if (one.rest?.reason !== 'budget') one.restFor({ reason: 'budget', ms: one.budgetResetMs });
}
