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
} from '../http-headers.ts';
import type { ResolveAddresses } from './resolve-addresses.ts';
import { discard, sendRequest, type Received } from '../send-request.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const CREDENTIALS = ['authorization', 'api-key', 'x-api-key', 'x-goog-api-key'] as const satisfies SendableHeader[];

interface DownloadRequest {
  headers?: Partial<Record<SendableHeader, string>>;
  /** Headers with credentials, keyed by lowercase name. They override `headers` only at `credentialsOrigin`. */
  credentials?: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** The only origin that receives credentials; default: the URL's origin. */
  credentialsOrigin?: string;
}

export interface Downloaded {
  status: number;
  headers: ResponseHeaders;
  /** The caller must consume or destroy it. The stream applies backpressure and fails as `guardBody` documents. */
  body: Readable;
  bytes?: number;
}

/** Downloads a URL. @throws {DownloadError} and no other errors */
export type Download = (url: string, request: DownloadRequest) => Promise<Downloaded>;

export interface DownloadOptions {
  /** Origins (`https://host:port`) that may be fetched at any address. */
  allowOrigins: readonly string[];
  maxBytes: number;
  /** Maximum idle time until the response headers arrive and between body chunks, in milliseconds. */
  idleMs: number;
  /** Connect timeout in milliseconds; default 10 s. */
  connectMs?: number;
  resolve?: ResolveAddresses;
}

export interface Downloader {
  download: Download;
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
 * Creates the only function that downloads from external URLs. Except for allowed origins, it connects only to public
 * addresses. It follows up to 5 redirects, checks each of them, and sends credentials only to their origin. It aborts
 * downloads that are too large or that stall.
 */
export function createDownload(options: DownloadOptions): Downloader {
  const { maxBytes, idleMs, connectMs = 10_000 } = options;
  const allowed = new Set(options.allowOrigins.map((text) => new URL(text).origin));
  // Use two agents, so that a request to a guarded origin never reuses a connection to an allowed origin.
  const open = new Agent({ pipelining: 1, allowH2: false, connect: { timeout: connectMs } });
  const guarded = new Agent({ pipelining: 1, allowH2: false, connect: guardedConnector(connectMs, options.resolve) });

  const download: Download = async (text, { headers = {}, credentials = {}, signal, credentialsOrigin }) => {
    let url = parseUrl(text);
    const home = credentialsOrigin ?? url.origin;
    let sent: Record<string, string> = { ...sendableHeaders(headers), ...credentials };
    const safe = withoutCredentials(headers);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      // After a redirect to another origin, credentials are never sent again, not even to the first origin.
      if (url.origin !== home) sent = safe;
      const agent = allowed.has(url.origin) ? open : guarded;
      const received = await receive(agent, { url, headers: sent, signal, idleMs });
      const picked = responseHeaders(received.headers);
      if (REDIRECTS.has(received.statusCode) && picked.location !== undefined) {
        discard(received.body);
        url = parseUrl(picked.location, url);
        continue;
      }
      const bytes = contentLength(picked);
      if (bytes !== undefined && bytes > maxBytes) {
        discard(received.body);
        throw new DownloadError('too_large');
      }
      const body = guardBody(received.body, { maxBytes, idleMs, signal });
      return { status: received.statusCode, headers: picked, body, ...(bytes === undefined ? {} : { bytes }) };
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
  const remaining = { ...headers };
  for (const name of CREDENTIALS) delete remaining[name];
  return sendableHeaders(remaining);
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
