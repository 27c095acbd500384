import type { ResponseBody, ResponseSink } from '@sluice/canonical';
import { UpstreamError } from './upstream-error.ts';

/** Without a reader, the source is paused when this many bytes are buffered. */
const MAX_BUFFERED_BYTES = 64 * 1024;

export interface ResponseSource {
  pause(): void;
  resume(): void;
  abort(): void;
  onDelivered(): void;
}

/**
 * Passes a body from the network to one reader without copying. If `data` returns false, the stream pauses until
 * `resume` is called. Without a reader, it buffers data. A paused source may still deliver remaining data, even after
 * the server has closed the connection.
 */
export class ResponseStream implements ResponseBody {
  readonly #source: ResponseSource;
  #sink: ResponseSink | undefined;
  #isPaused = false;
  #flushing = false;
  #buffer: Uint8Array[] = [];
  #bufferedBytes = 0;
  #ended: { error: unknown } | 'complete' | undefined;
  #stopped = false;
  /** Whether the end was delivered to the reader. No event follows the end. */
  #isDelivered = false;

  constructor(source: ResponseSource) {
    this.#source = source;
  }

  /** @throws the reader's errors */
  push(chunk: Uint8Array): void {
    if (this.#sink !== undefined && !this.#isPaused && !this.#flushing) {
      if (!this.#sink.data(chunk)) this.#pause();
      return;
    }
    this.#buffer.push(chunk);
    this.#bufferedBytes += chunk.byteLength;
    if (this.#bufferedBytes > MAX_BUFFERED_BYTES) this.#source.pause();
  }

  end(): void {
    this.#ended ??= 'complete';
    this.#flush();
  }

  /** Records a network error. The reader first receives the buffered data. */
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
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#goOn();
  }

  abort(): void {
    if (!this.#isDelivered) this.#stop(new UpstreamError('aborted', 'maybe'));
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

  #pause(): void {
    if (this.#stopped) return;
    this.#isPaused = true;
    this.#source.pause();
  }

  #goOn(): void {
    this.#flush();
    // Once the body has ended, the connection may already be serving another call, so don't resume it.
    if (!this.#isPaused && this.#ended === undefined) this.#source.resume();
  }

  #stop(error: unknown): void {
    const isOpen = this.#ended === undefined;
    this.#stopped = true;
    this.#isPaused = false;
    this.#buffer = [];
    this.#ended = { error };
    if (isOpen) this.#source.abort();
    this.#flush();
  }

  #flush(): void {
    const sink = this.#sink;
    if (sink === undefined || this.#flushing) return;
    this.#flushing = true;
    try {
      while (!this.#isPaused) {
        const chunk = this.#buffer.shift();
        if (chunk === undefined) break;
        this.#bufferedBytes -= chunk.byteLength;
        if (!sink.data(chunk)) this.#pause();
      }
    } catch (error) {
      this.#stop(error);
    } finally {
      this.#flushing = false;
    }
    if (this.#isPaused || this.#isDelivered || this.#ended === undefined || this.#buffer.length > 0) return;
    this.#isDelivered = true;
    this.#source.onDelivered();
    if (this.#ended === 'complete') sink.end();
    else sink.fail(this.#ended.error);
  }
}
