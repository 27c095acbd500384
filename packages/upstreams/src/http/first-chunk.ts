import type { ResponseBody, ResponseSink } from '@sluice/canonical';
import { ResponseStream } from './response-stream.ts';
import { UpstreamError } from './upstream-error.ts';

/**
 * Waits for a body's first chunk. Until the chunk arrives, a failure can still be returned as an HTTP status.
 * @returns the body, including its first chunk, paused until it has a reader; undefined if the body is empty
 * @throws the error of a body that fails before its first chunk
 */
export function firstChunk(body: ResponseBody): Promise<ResponseBody | undefined> {
  return new Promise((resolve, reject) => {
    const started = new StartedBody(body, () => resolve(started));
    body.feed({
      data: (chunk) => started.data(chunk),
      end: () => {
        resolve(undefined);
        started.end();
      },
      fail: (error) => {
        reject(error);
        started.fail(error);
      },
    });
  });
}

function noop(): void {}

export function fullBody(bytes: Uint8Array): ResponseBody {
  const body = new ResponseStream({ pause: noop, resume: noop, abort: noop, onDelivered: noop });
  if (bytes.byteLength > 0) body.push(bytes);
  body.end();
  return body;
}

/**
 * A body whose first chunk has already been read. It pauses the source until it has a reader, and then delivers that
 * chunk and the rest of the body.
 */
class StartedBody implements ResponseBody {
  readonly #body: ResponseBody;
  readonly #onFirst: () => void;
  #first: Uint8Array | undefined;
  #sink: ResponseSink | undefined;
  /** How the body ended, if it ended before a reader was attached. */
  #ended: { error: unknown } | 'complete' | undefined;

  constructor(body: ResponseBody, onFirst: () => void) {
    this.#body = body;
    this.#onFirst = onFirst;
  }

  data(chunk: Uint8Array): boolean {
    if (this.#sink !== undefined) return this.#sink.data(chunk);
    if (chunk.byteLength === 0) return true;
    this.#first = chunk;
    this.#onFirst();
    return false;
  }

  end(): void {
    if (this.#sink === undefined) this.#ended ??= 'complete';
    else this.#sink.end();
  }

  fail(error: unknown): void {
    if (this.#sink === undefined) this.#ended ??= { error };
    else this.#sink.fail(error);
  }

  feed(sink: ResponseSink): void {
    if (this.#sink !== undefined) throw new Error('the body is being read already');
    this.#sink = sink;
    const first = this.#first;
    this.#first = undefined;
    if (this.#ended !== undefined) {
      if (this.#ended === 'complete') sink.end();
      else sink.fail(this.#ended.error);
      return;
    }
    if (first === undefined || sink.data(first)) this.#body.resume();
  }

  resume(): void {
    this.#body.resume();
  }

  abort(): void {
    this.#first = undefined;
    this.#body.abort();
  }

  collect(maxBytes: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    return new Promise((resolve, reject) => {
      this.feed({
        data: (chunk) => {
          bytes += chunk.byteLength;
          chunks.push(chunk);
          if (bytes <= maxBytes) return true;
          reject(new UpstreamError('too_large', 'maybe'));
          this.abort();
          return false;
        },
        end: () => resolve(Buffer.concat(chunks)),
        fail: reject,
      });
    });
  }
}
