import { signalWithin } from '@sluice/canonical';
import { Agent } from 'undici';
import { AddressRefusedError, guardedConnector } from './guarded-connector.ts';
import { responseHeaders } from '../http-headers.ts';
import { cappedRetryAfterMs } from '../retry-after.ts';
import type { ResolveAddresses } from './resolve-addresses.ts';
import { type ReceivedText, receiveText } from './receive-text.ts';
import { sendRequest } from '../send-request.ts';

/**
 * Why a POST to a client's URL failed.
 *
 * - `invalid_url`: the URL is not an HTTPS URL (or an HTTP URL of an allowed origin), or it contains a password.
 * - `forbidden_address`: the host is not on the public internet.
 * - `timeout`: the server did not respond in time.
 * - `network`: the connection could not be opened, or it broke before the response.
 * - `aborted`: the caller's signal was aborted.
 */
type PostFailure = 'invalid_url' | 'forbidden_address' | 'timeout' | 'network' | 'aborted';

type PostOutcome = { status: number; retryAfterMs?: number; response: ReceivedText } | { failure: PostFailure };

interface Posting {
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
}

type GuardedPost = (url: string, posting: Posting) => Promise<PostOutcome>;

export interface GuardedPostOptions {
  /** Origins (`https://host:port`) that may be called at any address and without TLS. */
  allowOrigins: readonly string[];
  /** Maximum time from DNS resolution to the end of the response, in milliseconds. */
  timeoutMs: number;
  /** Unix milliseconds, for a `Retry-After` date; default: the system clock. */
  now?: () => number;
  resolve?: ResolveAddresses;
}

export interface GuardedPoster {
  post: GuardedPost;
  close(): Promise<void>;
}

/**
 * Creates the only function that posts to clients' URLs. Except for allowed origins, it connects only to public
 * addresses and checks the address that the socket uses. It follows no redirects and limits the response size.
 */
export function createGuardedPost(options: GuardedPostOptions): GuardedPoster {
  const { timeoutMs, now = Date.now } = options;
  const allowed = new Set(options.allowOrigins.map((text) => new URL(text).origin));
  // Use two agents, so that a request to a guarded origin never reuses a connection to an allowed origin.
  const open = new Agent({ pipelining: 1, allowH2: false, connect: { timeout: timeoutMs } });
  const guarded = new Agent({ pipelining: 1, allowH2: false, connect: guardedConnector(timeoutMs, options.resolve) });

  const post: GuardedPost = async (text, { headers, body, signal }) => {
    const url = URL.parse(text);
    const isPlain = url !== null && url.username === '' && url.password === '';
    const isAllowed = isPlain && allowed.has(url.origin);
    if (!isPlain || (url.protocol !== 'https:' && !isAllowed)) return { failure: 'invalid_url' };
    using time = signalWithin(signal, timeoutMs);
    try {
      const received = await sendRequest({
        dispatcher: isAllowed ? open : guarded,
        method: 'POST',
        url,
        headers: { 'user-agent': 'sluice', accept: '*/*', 'accept-encoding': 'identity', ...headers },
        body: Buffer.from(body),
        signal: time.signal,
      });
      const wait = cappedRetryAfterMs(responseHeaders(received.headers), now());
      const response = await receiveText(received);
      return { status: received.statusCode, ...(wait !== undefined && { retryAfterMs: wait }), response };
    } catch (error) {
      if (error instanceof AddressRefusedError) return { failure: 'forbidden_address' };
      if (signal.aborted) return { failure: 'aborted' };
      return { failure: time.hasTimedOut() ? 'timeout' : 'network' };
    }
  };

  return {
    post,
    close: async () => {
      await Promise.all([open.destroy(), guarded.destroy()]);
    },
  };
}
