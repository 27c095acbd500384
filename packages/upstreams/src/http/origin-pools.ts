import { type Dispatcher, errors, Pool } from 'undici';

/** The part of a dispatcher that the HTTP clients use. */
export type Dispatch = Pick<Dispatcher, 'dispatch'>;

const SWEEP_MS = 1_000;

/** Keep-alive connections for each origin. Unlike undici's `Agent`, it can close the connections to some origins. */
export class OriginPools implements Dispatch {
  readonly #options: Pool.Options;
  readonly #pools = new Map<string, Pool>();
  /** Undefined: all origins. */
  #kept: ReadonlySet<string> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDestroyed = false;

  constructor(options: Pool.Options) {
    this.#options = options;
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (this.#isDestroyed) throw new errors.ClientDestroyedError();
    const origin = String(options.origin);
    let pool = this.#pools.get(origin);
    if (!pool) {
      pool = new Pool(origin, this.#options);
      this.#pools.set(origin, pool);
      if (!this.#isKept(origin)) this.#sweepLater();
    }
    return pool.dispatch(options, handler);
  }

  /**
   * Closes the connections to all other origins, each as soon as it is idle. A late call to such an origin still works,
   * and then its connection closes too.
   */
  keepOnly(origins: ReadonlySet<string>): void {
    this.#kept = origins;
    this.#sweep();
  }

  /** Ends all calls. */
  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    clearTimeout(this.#timer);
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }

  #isKept(origin: string): boolean {
    return this.#kept?.has(origin) !== false;
  }

  #sweep(): void {
    let isBusy = false;
    for (const [origin, pool] of this.#pools) {
      if (this.#isKept(origin)) continue;
      const { running, pending, queued } = pool.stats;
      if (running + pending + queued > 0) {
        isBusy = true;
        continue;
      }
      this.#pools.delete(origin);
      void pool.destroy(); // Only idle sockets are left.
    }
    if (isBusy) this.#sweepLater();
  }

  #sweepLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#sweep(), SWEEP_MS).unref();
  }
}
