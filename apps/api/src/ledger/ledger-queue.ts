import type { Logger } from '@sluice/telemetry';

export interface LedgerQueueOptions {
  /** Sends entries to Redis. If it throws, some of them may have been sent; the store ignores repeated entries. */
  send: (entries: readonly string[]) => Promise<void>;
  /** Called for entries that are lost. */
  onDrop: (entries: number) => void;
  logger: Pick<Logger, 'warn'>;
}

/** Entries that end within this time share a command, because a command costs more than an entry. */
const COLLECT_MS = 50;
/** Limits the time that one call of the script delays other commands. */
const MAX_BATCH = 100;
/** Maximum number of queued entries. Further entries are dropped while Redis is unreachable. */
const MAX_QUEUED = 10_000;
const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 5_000;
/** How long a stopping process retries. */
const ENDING_MS = 3_000;

/** Sends ledger entries to Redis in batches, outside the request path, and retries while Redis is unreachable. */
export class LedgerQueue {
  readonly #options: LedgerQueueOptions;
  #entries: string[] = [];
  /** The number of entries that were ever queued. */
  #added = 0;
  readonly #waiting: { added: number; resolve: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #retryMs = 0;
  #endsAt = Infinity;

  constructor(options: LedgerQueueOptions) {
    this.#options = options;
  }

  add(entry: string): void {
    if (this.#entries.length >= MAX_QUEUED) return this.#options.onDrop(1);
    this.#entries.push(entry);
    this.#added += 1;
    if (this.#sending) return;
    if (this.#entries.length >= MAX_BATCH && this.#retryMs === 0) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), COLLECT_MS);
  }

  /** Waits until the entries that are queued now were sent, or were dropped at the end. */
  async written(): Promise<void> {
    if (this.#entries.length === 0) return;
    await new Promise<void>((resolve) => this.#waiting.push({ added: this.#added, resolve }));
  }

  /** Sends all queued entries and gives up after a few seconds. */
  async end(): Promise<void> {
    this.#endsAt = performance.now() + ENDING_MS;
    while (this.#entries.length > 0 || this.#sending) {
      if (!this.#sending) this.#start();
      await this.#sending;
      if (this.#retryMs === 0) continue;
      if (performance.now() >= this.#endsAt) break;
      await new Promise((resolve) => setTimeout(resolve, FIRST_RETRY_MS));
    }
    clearTimeout(this.#timer);
    if (this.#entries.length > 0) this.#options.onDrop(this.#entries.length);
    this.#remove(this.#entries.length);
  }

  #remove(count: number): void {
    this.#entries = this.#entries.slice(count);
    const left = this.#entries.length;
    while (this.#waiting[0] && this.#waiting[0].added <= this.#added - left) this.#waiting.shift()?.resolve();
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending = this.#sendAll().finally(() => {
      this.#sending = undefined;
      if (this.#entries.length > 0 && this.#endsAt === Infinity) {
        this.#timer = setTimeout(() => this.#start(), this.#retryMs || COLLECT_MS);
      }
    });
  }

  /** Stops at the first failure. Never throws. */
  async #sendAll(): Promise<void> {
    while (this.#entries.length > 0) {
      const batch = this.#entries.slice(0, MAX_BATCH);
      try {
        await this.#options.send(batch);
      } catch (error) {
        if (this.#retryMs === 0) this.#options.logger.warn({ err: error }, 'ledger entries wait for redis');
        this.#retryMs = Math.min(this.#retryMs * 2 || FIRST_RETRY_MS, MAX_RETRY_MS);
        return;
      }
      this.#retryMs = 0;
      this.#remove(batch.length);
    }
  }
}
