import type { ResponseBody, ResponseSink } from '@sluice/canonical';
import { UpstreamError } from './upstream-error.ts';

/** Bytes kept for a reader that is not there yet before the sender is told to wait. */
const KEPT_BYTES = 64 * 1024;

/** Where a body comes from. */
export interface ResponseSource {
  pause(): void;
  resume(): void;
  /** Closes the connection; the stream's `fail` is called for it. */
  abort(): void;
  /** The reader was told of the end. */
  through(): void;
}

/**
 * A body on its way from the network to one reader, without a copy. It is open until it has ended or failed; `held`
 * from a `data` that said no until `resume`. What comes while nobody reads is kept: the source is paused then, but may
 * hand over a little more, all that is left even when the other side has closed.
 */
export class ResponseStream implements ResponseBody {
  readonly #source: ResponseSource;
  #sink: ResponseSink | undefined;
  #held = false;
  #flushing = false;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  /** How the body came to its end; undefined while more may come. */
  #ended: { error: unknown } | 'whole' | undefined;
  /** Whether the reader wants no more. */
  #stopped = false;
  /** Whether the reader was told of the end: nothing follows. */
  #told = false;

  constructor(source: ResponseSource) {
    this.#source = source;
  }

  /** The network brings a piece. @throws what the reader throws */
  push(chunk: Uint8Array): void {
    if (this.#sink !== undefined && !this.#held && !this.#flushing) {
      if (!this.#sink.data(chunk)) this.#hold();
      return;
    }
    this.#kept.push(chunk);
    this.#keptBytes += chunk.byteLength;
    if (this.#keptBytes > KEPT_BYTES) this.#source.pause();
  }

  /** The network brings the end. */
  end(): void {
    this.#ended ??= 'whole';
    this.#flush();
  }

  /** The network breaks. What was kept is still read first. */
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
    // Past the end, the connection may be somebody else's.
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

  /** Reads out what was kept, then tells of the end. */
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
