import { Client } from '../client.ts';

const REPEAT_MS = 200;
const REQUEST_TIMEOUT_MS = 10_000;

/**
 * A client of several API processes. If a request gets no response or a 5xx, the client sends it to the next process
 * with the same idempotency key.
 */
export class FleetClient extends Client {
  readonly #origins: readonly string[];
  readonly #idempotencyKey: string | undefined;
  readonly #retryMs: number;
  #requests = 0;

  constructor(
    origins: readonly string[],
    key: string,
    { retryMs, idempotencyKey }: { retryMs: number; idempotencyKey?: string },
  ) {
    super('', key);
    this.#origins = origins;
    this.#retryMs = retryMs;
    this.#idempotencyKey = idempotencyKey;
  }

  override async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#idempotencyKey !== undefined) headers.set('idempotency-key', this.#idempotencyKey);
    for (const until = Date.now() + this.#retryMs; ;) {
      const origin = this.#origins[this.#requests++ % this.#origins.length] ?? '';
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
      try {
        const response = await super.fetch(`${origin}${path}`, { ...init, headers, signal });
        if (response.status < 500 || Date.now() > until) return response;
        await response.arrayBuffer();
      } catch (error) {
        if (Date.now() > until) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, REPEAT_MS));
    }
  }
}
