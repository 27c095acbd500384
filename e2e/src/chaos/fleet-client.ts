import { Client } from '../client.ts';

const REPEAT_MS = 200;
const REQUEST_TIMEOUT_MS = 10_000;

/**
 * A client of several API processes, as patient as those in production: what is not answered, or is answered with a
 * 5xx, is sent to the next process again, a create with the same idempotency key.
 */
export class FleetClient extends Client {
  readonly #origins: readonly string[];
  readonly #idempotencyKey: string | undefined;
  readonly #patienceMs: number;
  #turn = 0;

  constructor(
    origins: readonly string[],
    key: string,
    { patienceMs, idempotencyKey }: { patienceMs: number; idempotencyKey?: string },
  ) {
    super('', key);
    this.#origins = origins;
    this.#patienceMs = patienceMs;
    this.#idempotencyKey = idempotencyKey;
  }

  override async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#idempotencyKey !== undefined) headers.set('idempotency-key', this.#idempotencyKey);
    for (const until = Date.now() + this.#patienceMs; ;) {
      const origin = this.#origins[this.#turn++ % this.#origins.length] ?? '';
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
