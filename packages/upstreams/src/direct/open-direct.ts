import {
  GatewayError,
  type UpstreamTextResponse,
  UpstreamRefusalError,
  invalidResponseMessage,
} from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { responseHeaders, lowerCased } from '../http/http-headers.ts';
import type { OpenUpstream } from '../http/open-upstream.ts';
import { wireTools } from '../media/wire-tools.ts';
import { parseBaseUrl, pathBelow } from '../text/base-url.ts';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';
import type { DirectCredential } from './create-direct-upstream.ts';
import { refusalOf, type WireRefusal } from './refusal.ts';

interface OpenRequest {
  path: string;
  contentType: string;
  accept: string;
  body: NonNullable<Parameters<OpenUpstream>[0]['body']>;
  bytes?: number;
  model: string;
  traceHeaders?: Readonly<Record<string, string>> | undefined;
  signal: AbortSignal;
}

interface OpenedResponse extends UpstreamTextResponse {
  misunderstood(this: void, body: unknown): UpstreamRefusalError;
  /**
   * Creates the error for an error body that was sent with a success status. `status` is the status that the upstream
   * should have used.
   */
  refused(this: void, body: unknown, status: number): UpstreamRefusalError;
}

export interface OpenDirect {
  /**
   * Sends one POST and never retries it.
   * @returns the successful response, with its body unread
   * @throws UpstreamRefusalError for any other status
   * @throws UpstreamError if there is no response; rethrows errors from the request body's source
   */
  open(this: void, request: OpenRequest): Promise<OpenedResponse>;
}

const FIRST_MS = 600_000;
const IDLE_MS = 300_000;
const REFUSAL_BYTES = 1024 * 1024;

export function openDirect(
  account: UpstreamAccount,
  context: UpstreamContext,
  credential: DirectCredential,
  refusal: (response: UpstreamResponse) => WireRefusal,
): OpenDirect {
  const base = parseBaseUrl(account.base_url);
  const tools = wireTools(account, context);
  const own = lowerCased(account.headers ?? {});
  const { textFirstMs: firstMs = FIRST_MS, textIdleMs: idleMs = IDLE_MS } = context.timeouts;
  const meaning = (
    model: string,
    headers: UpstreamTextResponse['headers'],
  ): Omit<OpenedResponse, keyof UpstreamTextResponse> => {
    const read = (body: unknown, status: number) => ({ status, headers: responseHeaders({ ...headers }), body });
    const refused: OpenedResponse['refused'] = (body, status) => {
      const response = read(body, status);
      const isFinal = headers['x-should-retry'] === 'false';
      return new UpstreamRefusalError(status, refusalOf(refusal(response), response, tools, model), isFinal);
    };
    const misunderstood: OpenedResponse['misunderstood'] = (body) => {
      if (refusal(read(body, 200)).text !== undefined) return refused(body, 200);
      return new UpstreamRefusalError(502, new GatewayError('provider_error', invalidResponseMessage()));
    };
    return { refused, misunderstood };
  };
  return {
    open: async ({ path, contentType, accept, body, bytes, model, traceHeaders, signal }) => {
      const headers = {
        'user-agent': 'sluice',
        'accept-encoding': 'identity',
        accept,
        ...traceHeaders,
        ...credential,
        ...own,
        'content-type': contentType,
        ...(bytes !== undefined && { 'content-length': String(bytes) }),
      };
      const source = watched(body);
      let response: UpstreamTextResponse;
      try {
        const call = { method: 'POST', origin: base.origin, path: pathBelow(base, path) } as const;
        const sent = { headers: Object.entries(headers).flat(), body: source.body, firstMs, idleMs, signal };
        response = await context.openUpstream({ ...call, ...sent });
      } catch (error) {
        throw source.failed === undefined ? error : source.failed.error;
      }
      const meant = meaning(model, response.headers);
      if (response.status >= 200 && response.status < 300) return { ...response, ...meant };
      const errorBody = await response.body.collect(REFUSAL_BYTES).catch(() => undefined);
      throw meant.refused(parsed(errorBody), response.status);
    },
  };
}

export function parsed(bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return value;
  } catch {
    return undefined;
  }
}

/** Records why the body's source failed, because the network library reports only that it failed. */
function watched(body: OpenRequest['body']): { body: OpenRequest['body']; failed?: { error: unknown } } {
  if (typeof body !== 'object' || !(Symbol.asyncIterator in body)) return { body };
  const source: { body: OpenRequest['body']; failed?: { error: unknown } } = { body: chunks() };
  async function* chunks(this: void): AsyncGenerator<Uint8Array> {
    try {
      yield* body as AsyncIterable<Uint8Array>; // The cast is safe because the type was checked above.
    } catch (error) {
      source.failed = { error };
      throw error;
    }
  }
  return source;
}
