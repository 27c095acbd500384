import { Readable } from 'node:stream';
import { type HttpHandler, type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import type { SendTokenRequest, TokenRequest } from '../../http/token-request.ts';

/** The hosts of STS, and those of single sign-on in profiles, in all partitions. */
const AWS_HOST = /^(?:sts|oidc|portal\.sso)[a-z0-9.-]*\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/;

/** Creates the HTTP client of AWS's library. It calls only the configured endpoint, or AWS's own hosts. */
export function stsHttpHandler(endpoint: string | undefined, send: SendTokenRequest): HttpHandler<object> {
  return {
    handle: async (request, { abortSignal } = {}) => {
      const url = urlOf(request);
      const isExpected = url.origin === (endpoint && new URL(endpoint).origin) || AWS_HOST.test(url.hostname);
      if (!isExpected)
        throw new Error(`the request to ${url.origin} was refused, because the identity does not name this host`);
      const { status, headers, body } = await send({
        method: methodOf(request),
        url,
        headers: request.headers,
        body: request.body === undefined ? undefined : textOf(request.body),
        signal: abortSignal instanceof AbortSignal ? abortSignal : undefined,
      });
      const response = new HttpResponse({ statusCode: status, headers, body: Readable.from([Buffer.from(body)]) });
      return { response };
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  };
}

function urlOf({ protocol, hostname, port, path, query }: HttpRequest): URL {
  const url = new URL(path, `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`);
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) url.searchParams.append(name, one ?? '');
  }
  return url;
}

function methodOf({ method }: HttpRequest): TokenRequest['method'] {
  if (method === 'GET' || method === 'POST') return method;
  throw new Error(`the request has the unexpected method ${method}`);
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  throw new Error('the request has an unexpected body');
}
