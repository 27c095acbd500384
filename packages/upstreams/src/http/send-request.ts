import type { Readable } from 'node:stream';
import { request as undiciRequest, type Dispatcher } from 'undici';

/** One HTTP request, without redirects and without a second try. */
export interface Sending {
  dispatcher: Dispatcher;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  body?: Readable | Buffer;
  /** Ends the request whatever it is doing, connecting included. */
  signal: AbortSignal;
  /** Called when a connection is there and the first byte is about to be written. */
  onStart?: () => void;
  /** Called for each piece of the body that was handed to the socket. */
  onBodySent?: () => void;
}

/** What undici gives: status, headers, body stream. The body must be read to its end or destroyed. */
export type Received = Dispatcher.ResponseData;

/** Passes a request's events on and tells of the two moments that decide what is known of a lost answer. */
function watching(sending: Sending): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (controller, context) => {
        sending.onStart?.();
        handler.onRequestStart?.(controller, context);
      },
      onBodySent: (chunk) => {
        sending.onBodySent?.();
        handler.onBodySent?.(chunk);
      },
      onRequestSent: () => handler.onRequestSent?.(),
      onResponseStarted: () => handler.onResponseStarted?.(),
      onRequestUpgrade: (...all) => handler.onRequestUpgrade?.(...all),
      onResponseStart: (...all) => handler.onResponseStart?.(...all),
      onResponseData: (...all) => handler.onResponseData?.(...all),
      onResponseEnd: (...all) => handler.onResponseEnd?.(...all),
      onResponseError: (...all) => handler.onResponseError?.(...all),
    });
}

/**
 * Sends a request and answers when the response's headers are there.
 * undici hears an abort only once it is connected (undici 8 `api-request.js`), so the signal is raced here; a request
 * whose connection comes up after the abort is dropped by undici before a byte is written.
 * @throws the signal's reason after an abort; whatever undici throws.
 */
export async function sendRequest(sending: Sending): Promise<Received> {
  const { signal } = sending;
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const answering = undiciRequest(sending.url, {
    dispatcher: sending.dispatcher.compose(watching(sending)),
    method: sending.method,
    headers: sending.headers,
    body: sending.body ?? null,
    signal,
    // Our own timers are finer, and know what progress is.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // Whoever loses the race below must not count as unhandled.
  answering.catch(() => undefined);
  try {
    return await Promise.race([answering, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Gives a response up: its connection is closed if the body has not ended. */
export function discard(body: Readable): void {
  body.on('error', () => undefined);
  body.destroy();
}
