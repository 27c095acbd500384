import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { UpstreamTextResponse } from '@sluice/canonical';
import { errors, type Dispatcher } from 'undici';
import { ResponseStream, type ResponseSource } from './response-stream.ts';
import type { OpeningSockets } from './opening-sockets.ts';
import type { Dispatch } from './origin-pools.ts';
import { passedHeaders } from './passed-headers.ts';
import { reportedPieces } from './reported-pieces.ts';
import { type Upload, uploadStream } from './upload-stream.ts';
import { UpstreamError, type UpstreamFailure } from './upstream-error.ts';

interface OpenCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** The upstream's origin, such as `https://host:port`. */
  origin: string;
  path: string;
  headers: string[];
  /**
   * Sent unchanged. With an array, the headers must declare the length. A stream is read at most once, with
   * backpressure, and not at all if the call ends before that. A stream without a length header is sent chunked.
   */
  body?: string | Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array>;
  /** Called when an array has been sent, so that its memory can be freed. Not called after an abort. */
  onBodySent?: () => void;
  /**
   * Maximum idle time until the response headers arrive, in milliseconds. Each sent chunk of a streamed body resets it.
   * Time spent waiting for the body's source is excluded.
   */
  firstMs: number;
  /** Maximum idle time between response chunks, in milliseconds. Time during which the reader is paused is excluded. */
  idleMs: number;
  signal: AbortSignal;
}

/**
 * Calls an upstream and resolves when the response headers arrive. Does not follow redirects and does not retry.
 * @throws {UpstreamError} and no other errors
 */
export type OpenUpstream = (call: OpenCall) => Promise<UpstreamTextResponse>;

export function createOpenUpstream(pools: Dispatch, sockets: OpeningSockets): OpenUpstream {
  return (call) =>
    new Promise((resolve, reject) => {
      if (call.signal.aborted) return reject(new UpstreamError('aborted', 'no', call.signal.reason));
      const exchange = new Exchange(call.signal, resolve, reject);
      const upload = isToCome(call.body) ? exchange.uploading(call.body, call.firstMs) : undefined;
      const openingSocket = sockets.during(() =>
        pools.dispatch(
          {
            origin: call.origin,
            path: call.path,
            method: call.method,
            headers: call.headers,
            body: upload?.stream ?? toBody(call),
            headersTimeout: upload === undefined ? call.firstMs : 0,
            bodyTimeout: call.idleMs,
          },
          exchange,
        ),
      );
      exchange.connecting(openingSocket);
    });
}

function isToCome(body: OpenCall['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}

/** undici also accepts an iterable, but its types allow only streams. */
function toBody({ body, onBodySent }: OpenCall): string | Buffer | Uint8Array | Readable | null {
  if (!Array.isArray(body)) return (body as string | Uint8Array | undefined) ?? null;
  const pieces = body as readonly Uint8Array[];
  return (onBodySent ? reportedPieces(pieces, onBodySent) : pieces) as unknown as Readable;
}

/**
 * One request and its response, driven by undici's events: request start (connected and about to write the first byte),
 * response start, data, and end. An error may replace any of them. Both sides can abort at any time.
 */
class Exchange implements Dispatcher.DispatchHandler, ResponseSource {
  readonly #signal: AbortSignal;
  // Not `this` with `handleEvent`: Node wraps an object in a function that V8 allocates in the old generation, which
  // keeps the whole request in memory until the next full collection.
  readonly #onAbort = (): void => {
    if (this.#isDone) this.#body?.abort();
    else this.#stop(this.#signal.reason);
  };
  readonly #resolve: (response: UpstreamTextResponse) => void;
  readonly #reject: (error: UpstreamError) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #openingSocket: Socket | undefined;
  #body: ResponseStream | undefined;
  #upload: Upload | undefined;
  #sourceFailed = false;
  #isDone = false;
  /** Why the exchange was aborted. Any later error is reported with this reason. */
  #stopped: Error | undefined;

  constructor(
    signal: AbortSignal,
    resolve: (response: UpstreamTextResponse) => void,
    reject: (error: UpstreamError) => void,
  ) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener('abort', this.#onAbort);
  }

  uploading(source: AsyncIterable<Uint8Array>, maxIdleMs: number): Upload {
    this.#upload = uploadStream(source, {
      maxIdleMs,
      onIdle: () => this.#stop(undefined, this.#controller === undefined ? 'connect' : 'timeout'),
      onFailure: () => (this.#sourceFailed = true),
    });
    return this.#upload;
  }

  connecting(openingSocket: Socket | undefined): void {
    if (this.#controller === undefined && !this.#isDone) this.#openingSocket = openingSocket;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#stopped !== undefined) return controller.abort(this.#stopped);
    this.#openingSocket = undefined;
    this.#controller = controller;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Ignore informational responses (e.g. 103), which precede the final response.
    if (status < 200) return;
    const encoding = headers['content-encoding'];
    // The request accepts only identity encoding, and the client would not know that the body is compressed.
    if (encoding !== undefined && encoding !== 'identity') return this.#stop(new Error('compressed body'), 'reset');
    this.#upload?.stopTimer();
    // undici keeps these buffers, two for each header, until the body ends.
    controller.rawHeaders = null;
    this.#body = new ResponseStream(this);
    this.#resolve({ status, headers: passedHeaders(headers), body: this.#body });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body?.push(chunk);
  }

  onResponseEnd(): void {
    this.#isDone = true;
    this.#body?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.#isDone) return;
    this.#fail(new UpstreamError(this.#failureOf(error), this.#controller === undefined ? 'no' : 'maybe', error));
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    const controller = this.#controller;
    // Resume later, because undici's parser cannot resume within another callback.
    if (controller?.paused === true) queueMicrotask(() => controller.resume());
  }

  abort(): void {
    this.#stop(undefined);
  }

  onDelivered(): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
  }

  #stop(reason: unknown, failure: UpstreamFailure = 'aborted'): void {
    if (this.#isDone) return;
    const controller = this.#controller;
    const openingSocket = this.#openingSocket;
    const stopped = new Error('stopped', { cause: reason });
    this.#stopped = stopped;
    this.#fail(new UpstreamError(failure, controller === undefined ? 'no' : 'maybe', reason));
    if (controller === undefined) openingSocket?.destroy(stopped);
    else controller.abort(stopped);
  }

  #fail(error: UpstreamError): void {
    this.#isDone = true;
    this.#openingSocket = undefined;
    this.#upload?.stopTimer();
    this.#upload?.stream.destroy();
    if (this.#body !== undefined) return this.#body.fail(error);
    this.onDelivered();
    this.#reject(error);
  }

  #failureOf(error: Error): UpstreamFailure {
    if (this.#sourceFailed || error instanceof errors.RequestContentLengthMismatchError) return 'source';
    if (this.#controller === undefined) return 'connect';
    const isTimeout = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
    return isTimeout ? 'timeout' : 'reset';
  }
}
