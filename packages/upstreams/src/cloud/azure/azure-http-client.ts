import { isIP } from 'node:net';
import type { HttpClient, PipelineRequest } from '@azure/core-rest-pipeline';
import type { SendTokenRequest, TokenRequest } from '../../http/token-request.ts';
import type { AzureIdentity } from '../../contract/identity-settings.ts';

/** The metadata service of virtual machines. Source: Microsoft's "How managed identities for Azure resources work". */
const METADATA_ORIGIN = 'http://169.254.169.254';

/** Creates the HTTP client of `@azure/identity`. It calls only the configured authority or metadata service. */
export async function azureHttpClient(settings: AzureIdentity, send: SendTokenRequest): Promise<HttpClient> {
  const { createHttpHeaders } = await import('@azure/core-rest-pipeline');
  return {
    sendRequest: async (request) => {
      const url = targetOf(settings, new URL(request.url));
      const signal = request.abortSignal && signalOf(request.abortSignal);
      const { status, headers, body } = await send({
        method: methodOf(request),
        url,
        headers: request.headers.toJSON(),
        body: bodyOf(request),
        signal,
      });
      return { request, status, headers: createHttpHeaders(headers), bodyAsText: body };
    },
  };
}

/** @throws Error if the library wants to call another host */
function targetOf(settings: AzureIdentity, url: URL): URL {
  const place = url.pathname + url.search;
  if (settings.type === 'azure-managed-identity') {
    if (settings.endpoint !== undefined && url.origin === METADATA_ORIGIN) return new URL(place, settings.endpoint);
    if (isOnMachine(url.hostname)) return url;
  } else {
    const authority = new URL(settings.authority_host);
    if (url.host === authority.host) return new URL(place, authority.origin);
  }
  throw new Error(`the token request to ${url.origin} was refused, because the identity does not name this host`);
}

/** Platforms serve the tokens of managed identities at loopback and link-local addresses. */
function isOnMachine(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '');
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && /^(?:127\.|169\.254\.)/.test(name));
}

function methodOf({ method }: PipelineRequest): TokenRequest['method'] {
  if (method === 'GET' || method === 'POST') return method;
  throw new Error(`the token request has the unexpected method ${method}`);
}

function bodyOf({ body }: PipelineRequest): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return body;
  throw new Error('the token request has an unexpected body');
}

type AbortSignalLike = NonNullable<PipelineRequest['abortSignal']>;

function signalOf(like: AbortSignalLike): AbortSignal {
  if (like instanceof AbortSignal) return like;
  const controller = new AbortController();
  if (like.aborted) controller.abort();
  like.addEventListener('abort', () => controller.abort());
  return controller.signal;
}
