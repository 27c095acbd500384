import type { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { DownloadError } from './download-error.ts';
import { guardBody } from './guard-body.ts';
import { AddressRefusedError, guardedConnector } from './guarded-connector.ts';
import {
  responseHeaders,
  contentLength,
  sendableHeaders,
  type ResponseHeaders,
  type SendableHeader,
} from './http-headers.ts';
import type { ResolveAddresses } from './resolve-addresses.ts';
import { discard, sendRequest, type Received } from './send-request.ts';

/** Redirects that are followed. */
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Request headers that say who we are: they stay with the origin they were meant for. */
const CREDENTIALS = ['authorization', 'api-key', 'x-api-key', 'x-goog-api-key'] as const satisfies SendableHeader[];

/** How to download. */
interface DownloadRequest {
  headers?: Partial<Record<SendableHeader, string>>;
  /** Headers of any name, lower case, that say who we are: they win over the others and stay with their origin. */
  credentials?: Readonly<Record<string, string>>;
  /** Ends the request, and the body after it. */
  signal: AbortSignal;
  /** The only origin that `credentials`, and credentials among `headers`, are sent to; default: the origin of the URL. */
  credentialsOrigin?: string;
}

/** An answer whose body is still to be read. */
export interface Downloaded {
  status: number;
  headers: ResponseHeaders;
  /** With back-pressure; read it to the end or destroy it. Fails with a {@link DownloadError} when cut short. */
  body: Readable;
  /** Length of the body, where told. */
  bytes?: number;
}

/** Downloads a URL. @throws {DownloadError} and nothing else. */
export type Download = (url: string, request: DownloadRequest) => Promise<Downloaded>;

/** Settings of {@link createDownload}. */
export interface DownloadOptions {
  /** Origins (`https://host:port`) that may be fetched wherever their addresses lie. */
  allowOrigins: readonly string[];
  maxBytes: number;
  /** Longest silence, before the answer and between its pieces, in milliseconds. */
  idleMs: number;
  /** Time for a connection to come about, in milliseconds; default 10 s. */
  connectMs?: number;
  /** Finds addresses of hosts that are not allowed by name; stands in for the system's in tests. */
  resolve?: ResolveAddresses;
}

/** A guarded way out, and the end of it. */
export interface Downloader {
  download: Download;
  /** Closes every connection; downloads under way fail. */
  close(): Promise<void>;
}

function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new DownloadError('invalid_url');
  }
  return url;
}

/**
 * Makes the one way to fetch URLs that somebody else has named. It connects to public addresses only, but for the
 * exact origins that are allowed; follows up to 5 redirects, each checked anew; keeps credentials with their origin;
 * and ends what is too large or silent.
 */
export function createDownload(options: DownloadOptions): Downloader {
  const { maxBytes, idleMs, connectMs = 10_000 } = options;
  const allowed = new Set(options.allowOrigins.map((text) => new URL(text).origin));
  // Two agents: a connection to an allowed origin can never serve a guarded one.
  const open = new Agent({ pipelining: 1, allowH2: false, connect: { timeout: connectMs } });
  const guarded = new Agent({ pipelining: 1, allowH2: false, connect: guardedConnector(connectMs, options.resolve) });

  const download: Download = async (text, { headers = {}, credentials = {}, signal, credentialsOrigin }) => {
    let url = parseUrl(text);
    const home = credentialsOrigin ?? url.origin;
    let sent: Record<string, string> = { ...sendableHeaders(headers), ...credentials };
    const safe = withoutCredentials(headers);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      // Once gone they stay gone, also when a redirect leads back.
      if (url.origin !== home) sent = safe;
      const agent = allowed.has(url.origin) ? open : guarded;
      const received = await receive(agent, { url, headers: sent, signal, idleMs });
      const found = responseHeaders(received.headers);
      if (REDIRECTS.has(received.statusCode) && found.location !== undefined) {
        discard(received.body);
        url = parseUrl(found.location, url);
        continue;
      }
      const bytes = contentLength(found);
      if (bytes !== undefined && bytes > maxBytes) {
        discard(received.body);
        throw new DownloadError('too_large');
      }
      const body = guardBody(received.body, { maxBytes, idleMs, signal });
      return { status: received.statusCode, headers: found, body, ...(bytes === undefined ? {} : { bytes }) };
    }
    throw new DownloadError('too_many_redirects');
  };

  return {
    download,
    close: async () => {
      await Promise.all([open.destroy(), guarded.destroy()]);
    },
  };
}

function withoutCredentials(headers: Partial<Record<SendableHeader, string>>): Record<string, string> {
  const kept = { ...headers };
  for (const name of CREDENTIALS) delete kept[name];
  return sendableHeaders(kept);
}

interface Hop {
  url: URL;
  headers: Record<string, string>;
  signal: AbortSignal;
  idleMs: number;
}

async function receive(dispatcher: Dispatcher, hop: Hop): Promise<Received> {
  const { url, signal, idleMs } = hop;
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(new DownloadError('aborted', { cause: signal.reason }));
  const idle = setTimeout(() => stop.abort(new DownloadError('idle')), idleMs);
  try {
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    return await sendRequest({
      dispatcher,
      method: 'GET',
      url,
      headers: {
        'user-agent': 'sluice',
        accept: '*/*',
        'accept-encoding': 'identity',
        ...hop.headers,
      },
      signal: stop.signal,
    });
  } catch (cause) {
    if (cause instanceof DownloadError) throw cause;
    throw new DownloadError(cause instanceof AddressRefusedError ? 'forbidden_address' : 'network', { cause });
  } finally {
    clearTimeout(idle);
    signal.removeEventListener('abort', onAbort);
  }
}
