/** Limits an account's concurrent downloads in this process, because slow downloads must not block polls. */
export class DownloadSlots {
  readonly #max: number;
  readonly #taken = new Map<string, number>();

  /** @param concurrency maximum concurrent steps per account; downloads use at most half of them */
  constructor(concurrency: number) {
    this.#max = Math.max(1, Math.floor(concurrency / 2));
  }

  /** Acquires a slot and returns its release function; undefined if no slot is free. */
  take(account: string): (() => void) | undefined {
    const taken = this.#taken.get(account) ?? 0;
    if (taken >= this.#max) return undefined;
    this.#taken.set(account, taken + 1);
    return () => this.#taken.set(account, (this.#taken.get(account) ?? 1) - 1);
  }
}
