import type { Redis } from 'ioredis';

const BLOCK_MS = 5_000;

/**
 * Follows the fleet's event stream, once per process, and tells who waits for a task that something happened to it.
 * An event is only a hint to read the record, so a lost one costs time and nothing else.
 */
export class TaskEvents {
  readonly #redis: Redis;
  readonly #stream: string;
  readonly #watchers = new Map<string, Set<() => void>>();
  #closed = false;

  /** @param redis a connection of its own, closed with this: the blocking read would hold up everything else */
  constructor(redis: Redis, stream: string) {
    this.#redis = redis;
    this.#stream = stream;
    void this.#follow();
  }

  /** Calls back at each event of the task until the returned function is called. */
  watch(id: string, listener: () => void): () => void {
    const listeners = this.#watchers.get(id) ?? new Set();
    listeners.add(listener);
    this.#watchers.set(id, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#watchers.delete(id);
    };
  }

  close(): void {
    this.#closed = true;
    this.#redis.disconnect();
  }

  async #follow(): Promise<void> {
    let last: string | undefined;
    while (!this.#closed) {
      try {
        // Not `$`: it would stand for a later end each time, and what comes between two reads would be lost.
        last ??= (await this.#redis.xrevrange(this.#stream, '+', '-', 'COUNT', 1))[0]?.[0] ?? '0-0';
        const response = await this.#redis.xread('COUNT', 500, 'BLOCK', BLOCK_MS, 'STREAMS', this.#stream, last);
        for (const [entryId, fields] of response?.[0]?.[1] ?? []) {
          last = entryId;
          this.#tell(fields);
        }
      } catch {
        // The connection is gone; ioredis is reconnecting. Whoever waits also reads the record now and then.
        await new Promise((resolve) => setTimeout(resolve, 100).unref());
      }
    }
  }

  #tell(fields: readonly string[]): void {
    const id = fields[fields.indexOf('id') + 1];
    for (const listener of this.#watchers.get(id ?? '') ?? []) listener();
  }
}
