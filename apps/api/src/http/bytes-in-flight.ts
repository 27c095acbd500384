import { GatewayError } from '@sluice/canonical';
import type { FastifyReply } from 'fastify';
import { inBytes } from './form-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Memory reserved for the body or a form's fields. Undefined for small bodies. */
    bodyMemory: ReservedBytes | undefined;
    /** Bytes reserved for a form with its files. */
    uploadBytes: ReservedBytes | undefined;
    /** Returns the memory of the body, to which the handler can add. */
    reserveMemory(reply: FastifyReply): ReservedBytes;
  }
}

const RETRY_AFTER_MS = 1_000;

export interface ReservedBytes {
  /** @throws GatewayError `rate_limited` at the key's limit, `store_unavailable` at the process's limit */
  add(bytes: number): void;
  /** Can be called more than once. */
  release(): void;
}

/**
 * Limits the total size of the request bodies that a process handles at the same time, so that no key can exhaust its
 * memory or disk. One API key can use half of the process's limit.
 */
export class BytesInFlight {
  readonly #maxKeyBytes: number;
  readonly #bytesOfKey = new Map<string, number>();
  #bytes = 0;

  constructor(maxKeyBytes: number) {
    this.#maxKeyBytes = maxKeyBytes;
  }

  /** @param key name of the API key */
  reserve(key: string): ReservedBytes {
    let reserved = 0;
    let isReleased = false;
    const change = (bytes: number): void => {
      reserved += bytes;
      this.#bytes += bytes;
      const total = (this.#bytesOfKey.get(key) ?? 0) + bytes;
      if (total === 0) this.#bytesOfKey.delete(key);
      else this.#bytesOfKey.set(key, total);
    };
    return {
      add: (bytes) => {
        if (isReleased) return;
        this.#expectRoom(key, bytes);
        change(bytes);
      },
      release: () => {
        isReleased = true;
        change(-reserved);
      },
    };
  }

  #expectRoom(key: string, bytes: number): void {
    if ((this.#bytesOfKey.get(key) ?? 0) + bytes > this.#maxKeyBytes) {
      const what = `The requests in flight of this API key exceed ${inBytes(this.#maxKeyBytes)}. Send fewer large requests at the same time.`;
      throw new GatewayError('rate_limited', what, { retryAfterMs: RETRY_AFTER_MS });
    }
    if (this.#bytes + bytes > 2 * this.#maxKeyBytes) {
      const what = 'The gateway is processing too many large requests. Retry in 1 s.';
      throw new GatewayError('store_unavailable', what, { retryAfterMs: RETRY_AFTER_MS });
    }
  }
}
