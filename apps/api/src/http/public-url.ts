import { GatewayError } from '@sluice/canonical';
import { mayBePublicHost } from '@sluice/upstreams';

/**
 * Rejects a client's URL with a private address or a local name. The resolved address is checked at each connection.
 * @throws GatewayError `invalid_request` naming the field
 */
export function checkPublicHost({ hostname }: URL, param: string): void {
  if (mayBePublicHost(hostname)) return;
  const what = `\`${param}\` must be a public address, unless the operator allows its origin.`;
  throw new GatewayError('invalid_request', what, { param });
}

/**
 * Checks the URL of a client's server: any URL at an allowed origin, or a public https URL.
 * @param origins allowed origins, in the form of `URL.origin`
 * @throws GatewayError `invalid_request`
 */
export function checkCallback(url: string, origins: ReadonlySet<string>, param: string): string {
  const parsed = new URL(url);
  if (origins.has(parsed.origin)) return url;
  if (parsed.protocol !== 'https:') {
    const what = `\`${param}\` must be an https URL, unless the operator allows its origin.`;
    throw new GatewayError('invalid_request', what, { param });
  }
  checkPublicHost(parsed, param);
  return url;
}
