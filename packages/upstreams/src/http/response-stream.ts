import type { ResponseBody, ResponseSink } from '@sluice/canonical';
import { UpstreamError } from './upstream-error.ts';

/** Bytes buffered without a reader before the source is paused. */
const KEPT_BYTES = 64 * 1024;

export interface ResponseSource {
  pause(): void;
  resume(): void;
  abort(): void;
  through(): void;
}

/**
 * A body from the network to one reader, without a copy. It is open until it ends or fails, and `held` from a `data`
 * that returned false until `resume`. Without a reader it buffers: the source is paused, but may still deliver what is
 * left, even when the server has closed.
 */
export class ResponseStream implements ResponseBody {
  readonly #source: ResponseSource;
  #sink: ResponseSink | undefined;
  #held = false;
  #flushing = false;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #ended: { error: unknown } | 'whole' | undefined;
  #stopped = false;
  /** Whether the end was delivered. Nothing follows it. */
  #told = false;

  constructor(source: ResponseSource) {
    this.#source = source;
  }

  /** @throws errors of the reader */
  push(chunk: Uint8Array): void {
    if (this.#sink !== undefined && !this.#held && !this.#flushing) {
      if (!this.#sink.data(chunk)) this.#hold();
      return;
    }
    this.#kept.push(chunk);
    this.#keptBytes += chunk.byteLength;
    if (this.#keptBytes > KEPT_BYTES) this.#source.pause();
  }

  end(): void {
    this.#ended ??= 'whole';
    this.#flush();
  }

  /** Records a network error. The buffer is still delivered first. */
  fail(error: unknown): void {
    this.#ended ??= { error };
    this.#flush();
  }

  feed(sink: ResponseSink): void {
    if (this.#sink !== undefined) throw new Error('the body is being read already');
    this.#sink = sink;
    this.#goOn();
  }

  resume(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#goOn();
  }

  abort(): void {
    if (!this.#told) this.#stop(new UpstreamError('aborted', 'maybe'));
  }

  collect(maxBytes: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      this.feed({
        data: (chunk) => {
          bytes += chunk.byteLength;
          if (bytes <= maxBytes) chunks.push(chunk);
          else {
            reject(new UpstreamError('too_large', 'maybe'));
            this.abort();
          }
          return true;
        },
        end: () => {
          const [only] = chunks;
          resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
        },
        fail: reject,
      });
    });
  }

  #hold(): void {
    if (this.#stopped) return;
    this.#held = true;
    this.#source.pause();
  }

  #goOn(): void {
    this.#flush();
    // After the end, the connection may serve another call.
    if (!this.#held && this.#ended === undefined) this.#source.resume();
  }

  #stop(error: unknown): void {
    const isOpen = this.#ended === undefined;
    this.#stopped = true;
    this.#held = false;
    this.#kept = [];
    this.#ended = { error };
    if (isOpen) this.#source.abort();
    this.#flush();
  }

  #flush(): void {
    const sink = this.#sink;
    if (sink === undefined || this.#flushing) return;
    this.#flushing = true;
    try {
      while (!this.#held) {
        const chunk = this.#kept.shift();
        if (chunk === undefined) break;
        this.#keptBytes -= chunk.byteLength;
        if (!sink.data(chunk)) this.#hold();
      }
    } catch (error) {
      this.#stop(error);
    } finally {
      this.#flushing = false;
    }
    if (this.#held || this.#told || this.#ended === undefined || this.#kept.length > 0) return;
    this.#told = true;
    this.#source.through();
    if (this.#ended === 'whole') sink.end();
    else sink.fail(this.#ended.error);
  }
}
