import type { ResponseFacts } from '@sluice/telemetry';

/** Characters that are kept, because a chunk may end within a member. */
const OVERLAP = 64;
/** The id and the model are at the start of a response, or of the first event of a stream. */
const HEAD = 4_096;

const ID = /"(?:id|responseId)"\s*:\s*"([^"\\]{1,128})"/;
const MODEL = /"(?:model|modelVersion)"\s*:\s*"([^"\\]{1,128})"/;
/** `reason` is in the `incomplete_details` of the responses protocol. A quoted JSON text never matches. */
const FINISH = /"(?:finish_reason|stop_reason|finishReason|incomplete_details"\s*:\s*\{\s*"reason)"\s*:\s*"(\w+)"/g;

/**
 * Finds the id, the model, and the finish reasons in an upstream's response, whatever its protocol. It reads the bytes
 * without decoding them, because relayed responses are not decoded.
 */
export class ResponseScan {
  readonly #reasons = new Set<string>();
  #id: string | undefined;
  #model: string | undefined;
  #rest = '';
  #isHead = true;

  /** @returns whether there are new facts */
  push(chunk: Uint8Array): boolean {
    const text = this.#rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    this.#rest = text.slice(-OVERLAP);
    const before = this.#reasons.size;
    for (const [, reason] of text.matchAll(FINISH)) if (reason !== undefined) this.#reasons.add(reason);
    return this.#readHead(text.slice(0, HEAD)) || this.#reasons.size > before;
  }

  facts(): ResponseFacts {
    const finishReasons = this.#reasons.size > 0 ? [...this.#reasons] : undefined;
    return { id: this.#id, model: this.#model, finishReasons };
  }

  #readHead(head: string): boolean {
    if (!this.#isHead || !head.includes('"')) return false;
    this.#isHead = false;
    this.#id = ID.exec(head)?.[1];
    this.#model = MODEL.exec(head)?.[1];
    return true;
  }
}
