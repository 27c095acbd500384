import type { Readable } from 'node:stream';
import { signalWithin } from '@sluice/canonical';
import { Agent } from 'undici';
import { AddressRefusedError, guardedConnector } from './guarded-connector.ts';
import { responseHeaders } from './http-headers.ts';
import { cappedRetryAfterMs } from './retry-after.ts';
import type { ResolveAddresses } from './resolve-addresses.ts';
import { discard, sendRequest } from './send-request.ts';

/**
 * Why a server that a client has named could not be told.
 *
 * - `invalid_url`: not an https URL (or http at an allowed origin), or one with a password in it.
 * - `forbidden_address`: the host is not on the public internet.
 * - `timeout`: no answer within the time.
 * - `network`: no connection, or it broke before the answer.
 * - `aborted`: the caller's signal.
 */
type PostFailure = 'invalid_url' | 'forbidden_address' | 'timeout' | 'network' | 'aborted';

/** What became of a POST. Redirects are an answer like any other: they are not followed. */
type PostOutcome = { status: number; retryAfterMs?: number } | { failure: PostFailure };

/** What is sent. */
interface Posting {
  /** Sent as they are, names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
}

/** Posts to a URL that a client has named. Never throws. */
type GuardedPost = (url: string, posting: Posting) => Promise<PostOutcome>;

/** Settings of {@link createGuardedPost}. */
export interface GuardedPostOptions {
  /** Origins (`https://host:port`) that may be called wherever their addresses lie, and without TLS. */
  allowOrigins: readonly string[];
  /** Longest time from the first look-up of the host to the end of the answer, milliseconds. */
  timeoutMs: number;
  /** Unix milliseconds, for a `Retry-After` that is a date; default the system's. */
  now?: () => number;
  /** Finds addresses of hosts that are not allowed by name; stands in for the system's in tests. */
  resolve?: ResolveAddresses;
}

/** A guarded way out, and the end of it. */
export interface GuardedPoster {
  post: GuardedPost;
  /** Closes every connection; calls under way fail. */
  close(): Promise<void>;
}

/** More of an answer is not read: nobody wants it. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Makes the one way to tell servers that clients have named. It connects to public addresses only, checked on the very
 * address that is used, but for the exact origins that are allowed; follows no redirect; and reads little of an answer.
 */
export function createGuardedPost(options: GuardedPostOptions): GuardedPoster {
  const { timeoutMs, now = Date.now } = options;
  const allowed = new Set(options.allowOrigins.map((text) => new URL(text).origin));
  // Two agents: a connection to an allowed origin can never serve a guarded one.
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
      await drain(received.body);
      return { status: received.statusCode, ...(wait !== undefined && { retryAfterMs: wait }) };
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

/** Reads a short answer to its end, so that the connection serves again; gives a long, slow or broken one up. */
async function drain(body: Readable): Promise<void> {
  let bytes = 0;
  try {
    // A response body of undici yields buffers alone.
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // The status has been said; what follows changes nothing.
  } finally {
    discard(body);
  }
}
