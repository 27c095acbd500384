import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

export interface Sending {
  dispatcher: Dispatcher;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  body?: Readable | Buffer;
  signal: AbortSignal;
  onStart?: () => void;
  onBodySent?: () => void;
}

export type Received = Dispatcher.ResponseData;

/** Passes undici's events on. Reports two of them, which show whether the upstream may have handled a lost request. */
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
 * Sends a request and resolves with the response headers. undici handles an abort only after it has connected, and then
 * does not send the request (undici 8 `api-request.js`). This function therefore also listens to the signal.
 * @throws the signal's reason after an abort, otherwise undici's error
 */
export async function sendRequest(sending: Sending): Promise<Received> {
  const { signal, url } = sending;
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const pending = sending.dispatcher.compose(watching(sending)).request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: sending.method,
    headers: sending.headers,
    body: sending.body ?? null,
    signal,
    // Both timeouts are off: the gateway's own timers are more precise and take progress into account.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // If the abort wins the race below, this promise must not cause an unhandled rejection.
  pending.catch(() => undefined);
  try {
    return await Promise.race([pending, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

export function discard(body: Readable): void {
  body.on('error', () => undefined);
  body.destroy();
}
