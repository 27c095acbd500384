import { signalWithin } from '@sluice/canonical';
import { sendBuffered } from './buffered-request.ts';
import type { Dispatch } from './origin-pools.ts';

export interface TokenRequest {
  method: 'GET' | 'POST' | 'PUT';
  /** The caller must check that its origin is configured. */
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
}

interface TokenResponse {
  status: number;
  /** Keyed by lowercase name. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Sends the request of a cloud's credential library. Follows no redirects. @throws the network's error, after 15 s */
export type SendTokenRequest = (this: void, request: TokenRequest) => Promise<TokenResponse>;

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1024 * 1024;

export function createSendTokenRequest(dispatcher: Dispatch): SendTokenRequest {
  return async ({ method, url, headers, body, signal = new AbortController().signal }) => {
    using time = signalWithin(signal, TIMEOUT_MS);
    time.signal.throwIfAborted();
    const pending = sendBuffered({
      dispatcher,
      method,
      url,
      headers: { ...headers, 'accept-encoding': 'identity' },
      ...(body !== undefined && { body: Buffer.from(body) }),
      maxBytes: MAX_BYTES,
      onStart: () => undefined,
      onBodySent: () => undefined,
    });
    const onAbort = (): void => pending.abort(new Error('the token request took too long or was aborted'));
    time.signal.addEventListener('abort', onAbort, { once: true });
    try {
      const response = await pending.response;
      const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
      return { status: response.status, headers: Object.fromEntries(received), body: response.body.toString('utf8') };
    } finally {
      time.signal.removeEventListener('abort', onAbort);
    }
  };
}
