/** Smaller bodies are left to the garbage collector. */
const LARGE_BYTES = 256 * 1024;

/**
 * Frees the memory of a large request body as soon as the request is done. V8 counts the memory of buffers: if the
 * garbage collector frees it, each few large bodies cause a full garbage collection.
 */
export class BodyMemory {
  readonly #bytes: Uint8Array;
  #calls = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isLarge(): boolean {
    return this.#bytes.byteLength >= LARGE_BYTES;
  }

  /** A call begins to send the body. Until the returned function is called, a socket may refer to the memory. */
  send(): () => void {
    this.#calls += 1;
    return () => {
      this.#calls -= 1;
    };
  }

  /** The body is not read again. Does nothing if a call was aborted while it sent the body. */
  free(): void {
    const { buffer, byteLength } = this.#bytes;
    const isOwner = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
    if (this.isLarge && isOwner && this.#calls === 0) buffer.transfer(0);
  }
}
