import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Dispatch } from './origin-pools.ts';
import { ResponseTooLargeError } from './read-response.ts';

export interface BufferedRequest {
  dispatcher: Dispatch;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  body?: Readable | Buffer;
  maxBytes: number;
  /** Called when the first byte is sent. From then on, the upstream may have handled the request. */
  onStart: () => void;
  onBodySent: () => void;
}

interface BufferedResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export interface PendingResponse {
  response: Promise<BufferedResponse>;
  /** Rejects `response` immediately, also while undici connects. */
  abort(reason: Error): void;
}

/**
 * Sends a request and reads the complete response, directly from undici's events. This costs about half of
 * `undici.request`, which creates a stream for each response.
 *
 * The response is rejected with a {@link ResponseTooLargeError} above `maxBytes`, or with undici's error.
 */
export function sendBuffered(request: BufferedRequest): PendingResponse {
  const { url, maxBytes } = request;
  const { promise, resolve, reject } = Promise.withResolvers<BufferedResponse>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  let status = 0;
  let headers: BufferedResponse['headers'] = {};
  let controller: Dispatcher.DispatchController | undefined;
  let stopped: Error | undefined;

  function abort(reason: Error): void {
    stopped ??= reason;
    reject(stopped);
    controller?.abort(stopped);
  }

  request.dispatcher.dispatch(
    {
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      // Both timeouts are off: the gateway's own timers are more precise and take progress into account.
      headersTimeout: 0,
      bodyTimeout: 0,
    },
    {
      onRequestStart(started) {
        controller = started;
        // The caller may have aborted while undici was connecting.
        if (stopped) started.abort(stopped);
        else request.onStart();
      },
      onBodySent: request.onBodySent,
      onResponseStart(_controller, code, received) {
        status = code;
        headers = received;
      },
      onResponseData(_controller, chunk) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) abort(new ResponseTooLargeError(maxBytes));
        else chunks.push(chunk);
      },
      onResponseEnd: () => resolve({ status, headers, body: Buffer.concat(chunks) }),
      onResponseError: (_controller, error) => reject(error),
    },
  );
  return { response: promise, abort };
}
