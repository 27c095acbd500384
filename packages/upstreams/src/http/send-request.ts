import type { Readable } from 'node:stream';
import { request as undiciRequest, type Dispatcher } from 'undici';

/** One HTTP request, without redirects and retries. */
export interface Sending {
  dispatcher: Dispatcher;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  body?: Readable | Buffer;
  /** Aborts the request, even while connecting. */
  signal: AbortSignal;
  /** Called when connected, before the first byte is written. */
  onStart?: () => void;
  /** Called for each body chunk handed to the socket. */
  onBodySent?: () => void;
}

/** Status, headers, and body stream. Read the body to its end or destroy it. */
export type Received = Dispatcher.ResponseData;

/** Forwards undici's events and reports the two that decide whether a lost request may have been processed. */
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
 * Sends a request and resolves with the response's headers. undici handles an abort only once connected (undici 8
 * `api-request.js`), so the signal is raced here; undici drops a request that connects after its abort unsent.
 * @throws the signal's reason after an abort, otherwise undici's error
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
    // Our own timers are finer and recognize progress.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // The loser of the race below must not be an unhandled rejection.
  answering.catch(() => undefined);
  try {
    return await Promise.race([answering, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Discards a response and closes its connection unless the body has ended. */
export function discard(body: Readable): void {
  body.on('error', () => undefined);
  body.destroy();
}
