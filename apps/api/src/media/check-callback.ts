import { GatewayError } from '@sluice/canonical';
import { mayBePublicHost } from '@sluice/upstreams';

/**
 * Checks where a client's server may be: anywhere at the operator's origins; elsewhere by https, and neither at an address
 * that is not public nor at this machine. What a name leads to is seen when it is connected to, each time.
 * @param origins the operator's, as `URL.origin` spells them
 * @throws GatewayError `invalid_request`
 */
export function checkCallback(url: string, origins: ReadonlySet<string>, param: string): string {
  const { protocol, origin, hostname } = new URL(url);
  if (origins.has(origin)) return url;
  if (protocol !== 'https:')
    throw new GatewayError('invalid_request', `${param} must be an https URL, unless the operator allows its origin.`, {
      param,
    });
  if (mayBePublicHost(hostname)) return url;
  throw new GatewayError(
    'invalid_request',
    `${param} must lead to a public address, unless the operator allows its origin.`,
    { param },
  );
}
