import { GatewayError, type RealtimeCall, type RealtimeCapability, UpstreamRefusalError } from '@sluice/canonical';
import { openAiRefusal } from '../direct/openai-refusal.ts';
import { refusalOf } from '../direct/refusal.ts';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { lowerCased } from '../http/http-headers.ts';
import { keyHeaderOf } from '../media/api-key.ts';
import { wireTools } from '../media/wire-tools.ts';
import { type BaseUrl, parseBaseUrl, pathBelow } from '../text/base-url.ts';
import { scrubber } from '../text/scrubber.ts';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';

const HANDSHAKE_MS = 15_000;
/** Vendors stream audio in chunks. OpenAI accepts up to 15 MiB per chunk. */
const FRAME_BYTES = 64 * 1024 * 1024;

/**
 * Opens realtime sessions at OpenAI and compatible servers. A session is a WebSocket below the account's `base_url`.
 * @throws TypeError if the `base_url` is invalid
 */
export function openAiRealtime(account: UpstreamAccount, context: UpstreamContext): RealtimeCapability {
  const base = parseBaseUrl(account.base_url);
  const tools = wireTools(account, context);
  const own = lowerCased(account.headers ?? {});
  const { host, hostname } = new URL(base.origin);
  const credentials = credentialsOf(account.api_key, own);
  return {
    async open(call) {
      const headers = {
        'user-agent': 'sluice',
        ...keyHeaderOf(account),
        ...(call.beta !== undefined && { 'openai-beta': call.beta }),
        ...own,
      };
      const opened = await context.openSocket({
        url: urlOf(base, call),
        headers,
        handshakeMs: HANDSHAKE_MS,
        frameBytes: FRAME_BYTES,
        signal: call.signal,
      });
      if ('socket' in opened) return opened.socket;
      const { response } = opened;
      throw new UpstreamRefusalError(statusOf(response), refusedWith(response, tools));
    },
    scrub: scrubber([account.api_key, ...Object.values(own), host, hostname]),
    holdsCredential({ buffer, byteOffset, byteLength }) {
      const bytes = Buffer.from(buffer, byteOffset, byteLength);
      return [...credentials, ...(context.secrets?.() ?? [])].some((credential) => bytes.includes(credential));
    },
  };
}

/** Header values shorter than this are probably not secret (e.g. `audio`, a name, or a version). */
const MIN_IN_HEADERS = 16;

function credentialsOf(apiKey: string | undefined, headers: Readonly<Record<string, string>>): string[] {
  const parts = Object.values(headers).flatMap((value) => value.split(/\s+/));
  return [...(apiKey ? [apiKey] : []), ...parts.filter((part) => part.length >= MIN_IN_HEADERS)];
}

function statusOf({ status }: UpstreamResponse): number {
  return status >= 300 ? status : 502;
}

function refusedWith(response: UpstreamResponse, tools: ReturnType<typeof wireTools>): GatewayError {
  if (response.status >= 300) return refusalOf(openAiRefusal(response), response, tools);
  return new GatewayError('provider_error', 'The upstream did not open a WebSocket. Connect again.', {
    retryable: true,
  });
}

function urlOf(base: BaseUrl, { model, query }: RealtimeCall): string {
  const configured = new URLSearchParams(base.search);
  const passed = new URLSearchParams();
  for (const [name, value] of query) if (name !== 'model' && !configured.has(name)) passed.append(name, value);
  if (model !== undefined && !configured.has('model')) passed.set('model', model);
  const search = passed.toString();
  return base.origin.replace(/^http/, 'ws') + pathBelow(base, `/realtime${search === '' ? '' : `?${search}`}`);
}
