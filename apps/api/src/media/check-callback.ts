import { GatewayError } from '@sluice/canonical';

/**
 * Checks where a client's server may be: https anywhere, http at the operator's origins alone. Whether the address is a
 * public one is seen when it is connected to.
 * @param origins the operator's, as `URL.origin` spells them
 * @throws GatewayError `invalid_request`
 */
export function checkCallback(url: string, origins: ReadonlySet<string>, param: string): string {
  const { protocol, origin } = new URL(url);
  if (protocol === 'https:' || origins.has(origin)) return url;
  throw new GatewayError('invalid_request', `${param} must be an https URL.`, { param });
}
