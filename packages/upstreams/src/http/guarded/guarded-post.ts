import type { Readable } from 'node:stream';
import { signalWithin } from '@sluice/canonical';
import { Agent } from 'undici';
import { AddressRefusedError, guardedConnector } from './guarded-connector.ts';
import { responseHeaders } from '../http-headers.ts';
import { cappedRetryAfterMs } from '../retry-after.ts';
import type { ResolveAddresses } from './resolve-addresses.ts';
import { discard, sendRequest } from '../send-request.ts';

/**
 * Why a POST to a client's URL failed.
 *
 * - `invalid_url`: not an HTTPS URL (or HTTP at an allowed origin), or one with a password.
 * - `forbidden_address`: the host is not on the public internet.
 * - `timeout`: no response in time.
 * - `network`: no connection, or it broke before the response.
 * - `aborted`: the caller's signal.
 */
type PostFailure = 'invalid_url' | 'forbidden_address' | 'timeout' | 'network' | 'aborted';

type PostOutcome = { status: number; retryAfterMs?: number } | { failure: PostFailure };

interface Posting {
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
}

type GuardedPost = (url: string, posting: Posting) => Promise<PostOutcome>;

export interface GuardedPostOptions {
  /** Origins (`https://host:port`) that may be called at any address and without TLS. */
  allowOrigins: readonly string[];
  /** Max time from DNS resolution to the end of the response, in milliseconds. */
  timeoutMs: number;
  /** Unix milliseconds, for a `Retry-After` date; default: the system clock. */
  now?: () => number;
  resolve?: ResolveAddresses;
}

export interface GuardedPoster {
  post: GuardedPost;
  close(): Promise<void>;
}

/** The rest of a longer response is discarded. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Creates the only way to post to URLs from clients. It connects to public addresses only (checked on the address it
 * uses), except for allowed origins; follows no redirect; and reads little of the response.
 */
export function createGuardedPost(options: GuardedPostOptions): GuardedPoster {
  const { timeoutMs, now = Date.now } = options;
  const allowed = new Set(options.allowOrigins.map((text) => new URL(text).origin));
  // Two agents: a connection to an allowed origin is never reused for a guarded one.
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

/** Reads a short response to its end, so that its connection can be reused; aborts a long, slow, or broken one. */
async function drain(body: Readable): Promise<void> {
  let bytes = 0;
  try {
    // undici response bodies yield buffers only.
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // The status is known; a broken body changes nothing.
  } finally {
    discard(body);
  }
}
