import type { Redis } from 'ioredis';

const BLOCK_MS = 5_000;

/** Reads the event stream, once per process. An event is only a hint to read the record, so it may be lost. */
export class TaskEvents {
  readonly #redis: Redis;
  readonly #stream: string;
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #listeners = new Set<(id: string) => void>();
  #closed = false;

  /** @param redis a connection only for this object, because blocking reads delay other commands; `close` closes it */
  constructor(redis: Redis, stream: string) {
    this.#redis = redis;
    this.#stream = stream;
    void this.#follow();
  }

  /** Calls `listener` for each of the task's events until the returned function is called. */
  watch(id: string, listener: () => void): () => void {
    const listeners = this.#watchers.get(id) ?? new Set();
    listeners.add(listener);
    this.#watchers.set(id, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#watchers.delete(id);
    };
  }

  /** Calls `listener` with the id of each task that changes, until the returned function is called. */
  watchAll(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#closed = true;
    this.#redis.disconnect();
  }

  async #follow(): Promise<void> {
    let last: string | undefined;
    while (!this.#closed) {
      try {
        // Do not use `$`, because Redis resolves it at each read, and events between two reads would be lost.
        last ??= (await this.#redis.xrevrange(this.#stream, '+', '-', 'COUNT', 1))[0]?.[0] ?? '0-0';
        const response = await this.#redis.xread('COUNT', 500, 'BLOCK', BLOCK_MS, 'STREAMS', this.#stream, last);
        for (const [entryId, fields] of response?.[0]?.[1] ?? []) {
          last = entryId;
          this.#notify(fields);
        }
      } catch {
        // The connection is lost. Until ioredis has reconnected, waiting requests read the record periodically.
        await new Promise((resolve) => setTimeout(resolve, 100).unref());
      }
    }
  }

  #notify(fields: readonly string[]): void {
    const id = fields[fields.indexOf('id') + 1] ?? '';
    for (const listener of this.#watchers.get(id) ?? []) listener();
    for (const listener of this.#listeners) listener(id);
  }
}
