import { GatewayError } from '@sluice/canonical';
import { mayBePublicHost } from '@sluice/upstreams';

/**
 * Checks the host name only. The resolved address is checked on each connection. @throws GatewayError `invalid_request`
 * naming the field
 */
export function checkPublicHost({ hostname }: URL, param: string): void {
  if (mayBePublicHost(hostname)) return;
  const what = `\`${param}\` must be a public address, unless the operator allows its origin.`;
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
    const what = `\`${param}\` must be an https URL, unless the operator allows its origin.`;
    throw new GatewayError('invalid_request', what, { param });
  }
  checkPublicHost(parsed, param);
  return url;
}
