/**
 * Bounds how many downloads of one account run in this process: a download may take minutes, and a vendor that drips
 * must not keep polls from finding a free step.
 */
export class DownloadSlots {
  readonly #max: number;
  readonly #taken = new Map<string, number>();

  /** @param concurrency steps of one account that run at once; downloads take at most half of them */
  constructor(concurrency: number) {
    this.#max = Math.max(1, Math.floor(concurrency / 2));
  }

  /** Takes a slot; answers what gives it back, or nothing when all are taken. */
  take(account: string): (() => void) | undefined {
    const taken = this.#taken.get(account) ?? 0;
    if (taken >= this.#max) return undefined;
    this.#taken.set(account, taken + 1);
    return () => this.#taken.set(account, (this.#taken.get(account) ?? 1) - 1);
  }
}
