import { GatewayError } from '@sluice/canonical';
import { mayBePublicHost } from '@sluice/upstreams';
import type { FastifyRequest } from 'fastify';

/** The setting that exempts an origin from the check. */
type AllowSetting = 'webhooks.allow' | 'download.allow';

/**
 * Checks the host name only. The resolved address is checked on each connection. @throws GatewayError `invalid_request`
 * naming the field and the setting
 */
export function checkPublicHost({ hostname }: URL, param: string, setting: AllowSetting): void {
  if (mayBePublicHost(hostname)) return;
  const what = `\`${param}\` must be a public address, unless the operator allows its origin in \`${setting}\`.`;
  throw new GatewayError('invalid_request', what, { param });
}

/**
 * Allows any URL at one of `origins` (in `URL.origin` format) and public https URLs.
 * @throws GatewayError `invalid_request`
 */
export function checkCallback(url: string, origins: ReadonlySet<string>, param: string): string {
  const parsed = new URL(url);
  if (origins.has(parsed.origin)) return url;
  if (parsed.protocol !== 'https:') {
    const what = `\`${param}\` must be an https URL, unless the operator allows its origin in \`webhooks.allow\`.`;
    throw new GatewayError('invalid_request', what, { param });
  }
  checkPublicHost(parsed, param, 'webhooks.allow');
  return url;
}

/** Returns the gateway's origin according to the request. An invalid host yields none, so that it is never in a link. */
export function requestOrigin({ protocol, host }: FastifyRequest): string | undefined {
  return URL.parse(`${protocol}://${host}`)?.origin;
}

/** Returns the headers with which a worker repeats the request's origin to the internal API. It determines links. */
export function originHeaders(request: FastifyRequest): Record<string, string> {
  const url = URL.parse(requestOrigin(request) ?? '');
  return url ? { host: url.host, 'x-forwarded-proto': url.protocol.slice(0, -1) } : {};
}
