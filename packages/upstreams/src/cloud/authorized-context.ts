import type { UpstreamTextResponse } from '@sluice/canonical';
import type { UpstreamContext } from '../contract/upstream.ts';
import type { Downloaded } from '../http/guarded/download.ts';
import type { UpstreamBody } from '../http/fetch-upstream.ts';
import type { OpenUpstream } from '../http/open-upstream.ts';
import { discard } from '../http/send-request.ts';
import { UpstreamError } from '../http/upstream-error.ts';

/** A call to a vendor, for an authorizer that signs it. */
export interface AuthorizableCall {
  method: string;
  /** Such as `https://host:port`. */
  origin: string;
  /** The path as it is sent, with its query. */
  path: string;
  /** Undefined for a stream, which cannot be signed. */
  body: string | Uint8Array | readonly Uint8Array[] | undefined;
  /** The SHA-256 of a stream in hexadecimal digits, with which it can be signed. */
  sha256?: string | undefined;
}

export interface Authorization {
  /** Keyed by lowercase name. */
  headers: Readonly<Record<string, string>>;
  /** Reports the vendor's response. @returns whether to repeat the call, because another credential may be accepted */
  isRejected(this: void, response: VendorResponse): boolean;
}

interface VendorResponse {
  status: number;
  /** Keyed by lowercase name. */
  headers: Readonly<Record<string, string | undefined>>;
}

/** Authorizes the calls of an account. */
export interface Authorizer {
  /** Waits only if there is no valid credential. */
  authorize(this: void, call: AuthorizableCall): Authorization | Promise<Authorization>;
  /** Other origins from which files are downloaded with the credential. */
  origins?: readonly string[];
  /** Texts in the last headers that clients must not see. */
  secrets(this: void): readonly string[];
}

/**
 * Authorizes all calls to an account's origin. If the vendor rejects the credential, the call is repeated once with
 * another one, unless its body is a stream.
 */
export function authorizedContext(context: UpstreamContext, baseUrl: string, authorizer: Authorizer): UpstreamContext {
  const home = new URL(baseUrl).origin;
  const run = callRunner(authorizer);
  return {
    ...context,
    secrets: authorizer.secrets,
    openUpstream: (call) => {
      if (call.origin !== home) return context.openUpstream(call);
      const { method, path, body = '', headers, onBodySent, signal } = call;
      const sendings = onBodySent && countSendings(onBodySent);
      return run<UpstreamTextResponse>({
        call: { method, origin: home, path, body: isStream(body) ? undefined : body },
        signal,
        send: (added) =>
          context.openUpstream({
            ...call,
            headers: [...headers, ...Object.entries(added).flat()],
            ...(sendings && { onBodySent: sendings.start() }),
          }),
        drop: ({ body: rejected }) => void rejected.collect(DROPPED_BYTES).catch(() => undefined),
        last: sendings?.last,
      });
    },
    fetchUpstream: (call) => {
      const url = new URL(call.url);
      if (url.origin !== home) return context.fetchUpstream(call);
      const body = asBytes(call.body);
      return run({
        call: { ...placeOf(url), method: call.method, ...signableBody(body) },
        signal: call.signal,
        send: (added) => context.fetchUpstream({ ...call, body, ownHeaders: { ...call.ownHeaders, ...added } }),
      });
    },
    download: (text, request) => {
      const url = URL.parse(text);
      const isSigned = request.credentials !== undefined && (request.credentialsOrigin ?? home) === home;
      const isKnown = url?.origin === home || authorizer.origins?.includes(url?.origin ?? '') === true;
      if (!url || !isKnown || !isSigned) return context.download(text, request);
      return run<Downloaded>({
        call: { ...placeOf(url), method: 'GET', body: '' },
        signal: request.signal,
        send: (added) => {
          const credentials = { ...request.credentials, ...added };
          return context.download(text, { ...request, credentials, credentialsOrigin: url.origin });
        },
        drop: ({ body }) => discard(body),
      });
    },
    openSocket: async (call) => {
      const url = new URL(call.url.replace(/^ws/, 'http'));
      if (url.origin !== home) return context.openSocket(call);
      const opened = await run({
        call: { ...placeOf(url), method: 'GET', body: '' },
        signal: call.signal,
        send: async (added) => {
          const response = await context.openSocket({ ...call, headers: { ...call.headers, ...added } });
          return 'socket' in response ? { ...response, ...SWITCHING } : { ...response, ...response.response };
        },
      });
      return 'socket' in opened ? { socket: opened.socket } : { response: opened.response };
    },
  };
}

const SWITCHING: VendorResponse = { status: 101, headers: {} };
const DROPPED_BYTES = 64 * 1024;

interface AuthorizedRun<R extends VendorResponse> {
  call: AuthorizableCall;
  signal: AbortSignal;
  send(this: void, headers: Readonly<Record<string, string>>): Promise<R>;
  /** Frees the response of a call that is repeated. */
  drop?(this: void, response: R): void;
  /** Called when the call will not be sent again. */
  last?: (() => void) | undefined;
}

function callRunner(authorizer: Authorizer) {
  return async <R extends VendorResponse>({ call, signal, send, drop, last }: AuthorizedRun<R>): Promise<R> => {
    const first = await authorizationOf(authorizer, call, signal);
    const response = await send(first.headers);
    if (!first.isRejected(response) || call.body === undefined) {
      last?.();
      return response;
    }
    drop?.(response);
    const second = await authorizationOf(authorizer, call, signal);
    const repeating = send(second.headers);
    last?.();
    const repeated = await repeating;
    second.isRejected(repeated);
    return repeated;
  };
}

/** Reports that a body was sent as soon as no sending of it can follow or is under way. */
function countSendings(onBodySent: () => void): { start: () => () => void; last: () => void } {
  let underWay = 0;
  let isLast = false;
  const report = (): void => {
    if (isLast && underWay === 0) onBodySent();
  };
  return {
    start: () => {
      underWay += 1;
      return () => {
        underWay -= 1;
        report();
      };
    },
    last: () => {
      isLast = true;
      report();
    },
  };
}

type SentBody = Parameters<OpenUpstream>[0]['body'];

function signableBody(body: ReturnType<typeof asBytes>): Pick<AuthorizableCall, 'body' | 'sha256'> {
  return body?.kind === 'stream' ? { body: undefined, sha256: body.sha256 } : { body: body?.data ?? '' };
}

function isStream(body: SentBody): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}

/** Encodes JSON before the call is authorized, because a signature covers the bytes. */
function asBytes(body: UpstreamBody | undefined): Exclude<UpstreamBody, { kind: 'json' }> | undefined {
  if (body?.kind !== 'json') return body;
  return { kind: 'bytes', contentType: 'application/json', data: Buffer.from(JSON.stringify(body.value)) };
}

function placeOf({ origin, pathname, search }: URL): Pick<AuthorizableCall, 'origin' | 'path'> {
  return { origin, path: pathname + search };
}

/** @throws UpstreamError if there is no credential, or the call is aborted before */
async function authorizationOf(
  { authorize }: Authorizer,
  call: AuthorizableCall,
  signal: AbortSignal,
): Promise<Authorization> {
  if (signal.aborted) throw new UpstreamError('aborted', 'no', signal.reason);
  const authorization = authorize(call);
  if (!(authorization instanceof Promise)) return authorization;
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(new UpstreamError('aborted', 'no', signal.reason));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([authorization, aborted.promise]);
  } catch (error) {
    throw error instanceof UpstreamError ? error : new UpstreamError('credential', 'no', error);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
