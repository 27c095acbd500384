import { Readable } from 'node:stream';
import { errors } from 'undici';
import { type PendingResponse, sendBuffered } from './buffered-request.ts';
import { openingSockets } from './opening-sockets.ts';
import {
  responseHeaders,
  lowerCased,
  sendableHeaders,
  type ResponseHeaders,
  type SendableHeader,
} from './http-headers.ts';
import { createOpenUpstream, type OpenUpstream } from './open-upstream.ts';
import { OriginPools } from './origin-pools.ts';
import { ResponseTooLargeError, parseJson } from './read-response.ts';
import { createSendTokenRequest, type SendTokenRequest } from './token-request.ts';
import { UpstreamError, type UpstreamFailure } from './upstream-error.ts';

export type UpstreamBody =
  | { kind: 'json'; value: unknown }
  | { kind: 'bytes'; contentType: string; data: Buffer }
  | {
      kind: 'stream';
      contentType: string;
      /** Length in bytes, if known. Otherwise the body is sent chunked. A different actual length aborts the call. */
      bytes?: number;
      /** Read at most once, with backpressure. The caller that opened it must close it. */
      source: AsyncIterable<Uint8Array>;
      /** The SHA-256 in hexadecimal digits, if a signature must cover the body. */
      sha256?: string;
    };

interface UpstreamCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string | URL;
  headers?: Partial<Record<SendableHeader, string>>;
  /** Headers that the operator configured for this account. They override the gateway's headers. */
  ownHeaders?: Readonly<Record<string, string>>;
  body?: UpstreamBody;
  taskId?: string;
  /** Maximum idle time in milliseconds. Each sent chunk of the request body resets it. Response bytes do not. */
  timeoutMs: number;
  /** Maximum response size in bytes; default: `maxResponseBytes` of the client. */
  maxResponseBytes?: number;
  signal: AbortSignal;
}

export interface UpstreamResponse {
  status: number;
  headers: ResponseHeaders;
  /** Parsed JSON; `undefined` if the response is not JSON. */
  body: unknown;
}

/** Calls an upstream. @throws {UpstreamError} and no other errors */
export type FetchUpstream = (call: UpstreamCall) => Promise<UpstreamResponse>;

export interface UpstreamHttp {
  fetchUpstream: FetchUpstream;
  openUpstream: OpenUpstream;
  sendTokenRequest: SendTokenRequest;
  /** Closes the idle connections to all other origins, and the busy ones when they are idle. */
  keepOnly(origins: ReadonlySet<string>): void;
  close(): Promise<void>;
}

export interface UpstreamHttpOptions {
  /** Connect timeout including TLS, in milliseconds; default 10 s. */
  connectMs?: number;
  /** Maximum response size in bytes; default 1 MiB. */
  maxResponseBytes?: number;
}

/** Small enough that chunks are sent often, and thereby show progress, even on a slow connection. */
const CHUNK_BYTES = 64 * 1024;

async function* chunked(source: AsyncIterable<Uint8Array>, onError: () => void): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of source) {
      for (let at = 0; at < chunk.byteLength; at += CHUNK_BYTES) yield chunk.subarray(at, at + CHUNK_BYTES);
    }
  } catch (error) {
    onError();
    throw error;
  }
}

interface Sendable {
  headers: Record<string, string>;
  data?: Readable | Buffer;
}

function toSendable(body: UpstreamBody | undefined, onSourceError: () => void): Sendable {
  if (body === undefined) return { headers: {} };
  if (body.kind === 'json') {
    return { headers: { 'content-type': 'application/json' }, data: Buffer.from(JSON.stringify(body.value)) };
  }
  if (body.kind === 'bytes') return { headers: { 'content-type': body.contentType }, data: body.data };
  return {
    headers: {
      'content-type': body.contentType,
      ...(body.bytes === undefined ? {} : { 'content-length': String(body.bytes) }),
    },
    data: Readable.from(chunked(body.source, onSourceError), { objectMode: false, highWaterMark: CHUNK_BYTES }),
  };
}

/**
 * Creates the HTTP clients for configured upstreams. They share keep-alive connections, each with one request at a time
 * (no pipelining). They neither follow redirects nor retry, because the caller decides about retries.
 */
export function createUpstreamHttp(options: UpstreamHttpOptions = {}): UpstreamHttp {
  const { connectMs = 10_000, maxResponseBytes = 1024 * 1024 } = options;
  const sockets = openingSockets(connectMs);
  const pools = new OriginPools({ pipelining: 1, allowH2: false, connect: sockets.connect });

  const fetchUpstream: FetchUpstream = async (call) => {
    let sent: 'no' | 'maybe' = 'no';
    let sourceFailed = false;
    let stop: Stop | undefined;
    let pending: PendingResponse | undefined;
    const { headers, data } = toSendable(call.body, () => (sourceFailed = true));
    const stopFor = (reason: Stop): void => {
      stop ??= reason;
      pending?.abort(new Error(reason));
    };
    const onAbort = (): void => stopFor('aborted');
    const idleTimer = setTimeout(() => stopFor('timeout'), call.timeoutMs);
    call.signal.addEventListener('abort', onAbort, { once: true });
    try {
      if (call.signal.aborted) onAbort();
      call.signal.throwIfAborted();
      pending = sendBuffered({
        dispatcher: pools,
        method: call.method,
        url: typeof call.url === 'string' ? new URL(call.url) : call.url,
        headers: {
          'user-agent': 'sluice',
          accept: 'application/json',
          'accept-encoding': 'identity',
          ...sendableHeaders(call.headers ?? {}),
          ...lowerCased(call.ownHeaders ?? {}),
          ...headers,
          ...(call.taskId === undefined ? {} : { 'x-client-request-id': call.taskId }),
        },
        ...(data === undefined ? {} : { body: data }),
        maxBytes: call.maxResponseBytes ?? maxResponseBytes,
        onStart: () => (sent = 'maybe'),
        onBodySent: () => idleTimer.refresh(),
      });
      const response = await pending.response;
      return { status: response.status, headers: responseHeaders(response.headers), body: parseJson(response.body) };
    } catch (error) {
      throw new UpstreamError(failureOf(error, { sent, stop, sourceFailed }), sent, error);
    } finally {
      clearTimeout(idleTimer);
      call.signal.removeEventListener('abort', onAbort);
      if (data instanceof Readable) data.destroy();
    }
  };

  return {
    fetchUpstream,
    openUpstream: createOpenUpstream(pools, sockets),
    sendTokenRequest: createSendTokenRequest(pools),
    keepOnly: (origins) => pools.keepOnly(origins),
    close: () => pools.destroy(),
  };
}

/** Why the gateway itself ended a call. */
type Stop = 'aborted' | 'timeout';

function failureOf(
  error: unknown,
  seen: { sent: 'no' | 'maybe'; stop: Stop | undefined; sourceFailed: boolean },
): UpstreamFailure {
  if (seen.stop === 'aborted') return 'aborted';
  if (seen.stop === 'timeout') return seen.sent === 'no' ? 'connect' : 'timeout';
  if (error instanceof ResponseTooLargeError) return 'too_large';
  if (seen.sourceFailed || error instanceof errors.RequestContentLengthMismatchError) return 'source';
  return seen.sent === 'no' ? 'connect' : 'reset';
}
