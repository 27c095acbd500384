import { GatewayError } from '@sluice/canonical';
import { checkPublicHost } from './expect-public.ts';

/**
 * Checks where a client's server may be: anywhere at the operator's origins; elsewhere by https, and neither at an address
 * that is not public nor at this machine. What a name leads to is seen when it is connected to, each time.
 * @param origins the operator's, as `URL.origin` spells them
 * @throws GatewayError `invalid_request`
 */
export function checkCallback(url: string, origins: ReadonlySet<string>, param: string): string {
  const parsed = new URL(url);
  if (origins.has(parsed.origin)) return url;
  if (parsed.protocol !== 'https:') {
    const what = `${param} must be an https URL, unless the operator allows its origin.`;
    throw new GatewayError('invalid_request', what, { param });
  }
  checkPublicHost(parsed, param);
  return url;
}
