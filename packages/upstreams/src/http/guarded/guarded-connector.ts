import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress, mayBePublicHost } from './public-address.ts';
import { createAddressResolver, type ResolveAddresses } from './resolve-addresses.ts';

export class AddressRefusedError extends Error {
  readonly code = 'ADDRESS_REFUSED';

  constructor() {
    super('not a public address');
    this.name = 'AddressRefusedError';
  }
}

/**
 * Creates an undici connector that connects only to public addresses. To prevent DNS rebinding, it checks the address
 * that the socket actually uses. If the URL contains an IP address, it is checked without a DNS lookup.
 */
export function guardedConnector(
  connectMs: number,
  resolve: ResolveAddresses = createAddressResolver(),
): buildConnector.connector {
  const lookup: LookupFunction = (hostname, options, done) => {
    resolve(hostname, (error, addresses) => {
      if (error !== null) return done(error, '', 0);
      const allowed = addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = allowed;
      if (first === undefined) return done(new AddressRefusedError(), '', 0);
      return options.all === true ? done(null, allowed) : done(null, first.address, first.family);
    });
  };
  const connect = buildConnector({ timeout: connectMs, allowH2: false, lookup });
  return (options, callback) => {
    if (!mayBePublicHost(options.hostname)) callback(new AddressRefusedError(), null);
    else connect(options, callback);
  };
}
