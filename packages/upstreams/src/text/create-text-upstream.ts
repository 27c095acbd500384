import { createHash } from 'node:crypto';
import {
  GatewayError,
  type TextCall,
  type TextCapability,
  type UpstreamProtocolName,
  type UpstreamTextResponse,
} from '@sluice/canonical';
import { principalOf } from '../contract/identity-settings.ts';
import { lowerCased } from '../http/http-headers.ts';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';
import { type BaseUrl, parseBaseUrl, pathBelow, safePathBelow } from './base-url.ts';
import { scrubber } from './scrubber.ts';

export interface TextWire {
  protocol: UpstreamProtocolName;
  credential(apiKey: string): [name: string, value: string];
  /** Adjusts the path of the configured `base_url`. Set by kinds that accept several forms of it. */
  basePath?(path: string): string;
  /** Returns a call's path and query below the base URL, or undefined if the kind does not support the call. */
  path(call: TextCall): string | undefined;
  /** Returns headers that depend on the client's headers. The operator's headers override them. */
  callHeaders?(call: TextCall): Record<string, string>;
  /** Converts the body of a call that counts tokens. Set by kinds whose API differs from the protocol. */
  countBody?(this: void, body: Record<string, unknown>): Record<string, unknown>;
  /** The media type of streamed responses, as the upstream sends them. The default is `text/event-stream`. */
  streamType?: string;
  /** Converts a response to the protocol's format. Set by kinds with another framing of streams. */
  response?(response: UpstreamTextResponse): UpstreamTextResponse;
  stored?: string;
}

const FIRST_MS = 600_000;
const IDLE_MS = 300_000;

/**
 * Creates a text account. Bodies are passed on unchanged. Only the client's body and the headers returned by
 * `callHeaders` are sent. Common headers are built once.
 * @throws TypeError if the account's `base_url` is invalid
 */
export function createTextUpstream(
  wire: TextWire,
  account: UpstreamAccount,
  context: Pick<UpstreamContext, 'openUpstream' | 'timeouts' | 'secrets'>,
): TextCapability {
  const { api_key: apiKey, access_key: accessKey, secret_key: secretKey, quirks = {}, completions = false } = account;
  const { textFirstMs: firstMs = FIRST_MS, textIdleMs: idleMs = IDLE_MS } = context.timeouts;
  const base = baseOf(wire, account.base_url);
  const own = lowerCased(account.headers ?? {});
  const bare = {
    'user-agent': 'sluice',
    'accept-encoding': 'identity',
    accept: 'application/json',
    ...(apiKey !== undefined && Object.fromEntries([wire.credential(apiKey)])),
    ...own,
  };
  const json = { 'content-type': 'application/json', ...bare };
  const buffered = Object.entries(json).flat();
  const streamed = Object.entries({ ...json, accept: own['accept'] ?? wire.streamType ?? 'text/event-stream' }).flat();
  const stored = Object.entries({ ...bare, accept: own['accept'] ?? 'application/json, text/event-stream' }).flat();

  const headersOf = (call: TextCall): string[] => {
    const fixed = withTrace(call.stream ? streamed : buffered, call);
    const added = wire.callHeaders?.(call);
    if (added === undefined) return fixed;
    const all = [...fixed];
    for (const [name, value] of Object.entries(added)) if (own[name] === undefined) all.push(name, value);
    return all;
  };

  return {
    protocol: wire.protocol,
    account: accountHash(wire, account),
    quirks,
    completions: completions && wire.protocol === 'chat-completions',
    open: async (call) => {
      const path = wire.path(call);
      if (path === undefined)
        throw new GatewayError(
          'not_found',
          'The upstream of this model does not support this operation. Choose another model.',
        );
      const { origin } = base;
      const { onBodySent, signal } = call;
      const body = bodyOf(wire, call);
      // The network library does not compute the length of an array and would send it chunked.
      const headers = Array.isArray(body)
        ? [...headersOf(call), 'content-length', String(lengthOf(body))]
        : headersOf(call);
      const response = await context.openUpstream({
        method: 'POST',
        origin,
        path: pathBelow(base, path),
        headers,
        body,
        ...(onBodySent && { onBodySent }),
        firstMs,
        idleMs,
        signal,
      });
      return wire.response?.(response) ?? response;
    },
    ...(wire.stored !== undefined && {
      openStored: async ({ method, path, signal }) => {
        const below = safePathBelow({ ...base, path: `${base.path}${wire.stored}` }, path);
        if (below === undefined) throw new GatewayError('response_not_found', 'The response does not exist.');
        return context.openUpstream({
          method,
          origin: base.origin,
          path: below,
          headers: stored,
          firstMs,
          idleMs,
          signal,
        });
      },
    }),
    scrub: scrubber([apiKey, accessKey, secretKey, ...Object.values(own), ...hosts(base)], context.secrets),
  };
}

/** Bodies of calls that count tokens are strings. */
function bodyOf({ countBody }: TextWire, { operation, body }: TextCall): TextCall['body'] {
  if (!countBody || operation !== 'count-tokens' || typeof body !== 'string') return body;
  return JSON.stringify(countBody(JSON.parse(body) as Record<string, unknown>));
}

function accountHash(
  { protocol }: TextWire,
  { base_url: baseUrl, api_key: apiKey, access_key: accessKey, identity }: UpstreamAccount,
): string {
  const owner = apiKey ?? accessKey ?? (identity ? principalOf(identity) : '');
  return createHash('sha256')
    .update(JSON.stringify([protocol, baseUrl, owner]))
    .digest('hex')
    .slice(0, 8);
}

function withTrace(headers: string[], { traceHeaders }: TextCall): string[] {
  return traceHeaders === undefined ? headers : [...headers, ...Object.entries(traceHeaders).flat()];
}

function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function baseOf(wire: TextWire, text: string): BaseUrl {
  const base = parseBaseUrl(text);
  return { ...base, path: wire.basePath?.(base.path) ?? base.path };
}

function hosts({ origin }: BaseUrl): string[] {
  const { host, hostname } = new URL(origin);
  return [host, hostname];
}
