import { GatewayError } from '@sluice/canonical';
import { mayBePublicHost } from '@sluice/upstreams';

/**
 * Checks that a URL of a client leads neither to an address that is not public nor to this machine. What a name leads to is
 * seen when it is connected to, each time.
 * @throws GatewayError `invalid_request` naming the field
 */
export function checkPublicHost({ hostname }: URL, param: string): void {
  if (mayBePublicHost(hostname)) return;
  const what = `${param} must lead to a public address, unless the operator allows its origin.`;
  throw new GatewayError('invalid_request', what, { param });
}
