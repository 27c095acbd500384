import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress, mayBePublicHost } from './public-address.ts';
import { createAddressResolver, type ResolveAddresses } from './resolve-addresses.ts';

/** The host has no public address, so no connection was tried. */
export class AddressRefusedError extends Error {
  readonly code = 'ADDRESS_REFUSED';

  constructor() {
    super('not a public address');
    this.name = 'AddressRefusedError';
  }
}

/**
 * A connector for undici that connects to public addresses only. The check is on the very addresses that the socket
 * is given, so a name that changes its mind between a check and a connection gains nothing; an IP address in the URL
 * skips resolution and is checked by itself.
 */
export function guardedConnector(
  connectMs: number,
  resolve: ResolveAddresses = createAddressResolver(),
): buildConnector.connector {
  const lookup: LookupFunction = (hostname, options, done) => {
    resolve(hostname, (error, found) => {
      if (error !== null) return done(error, '', 0);
      const allowed = found.filter(({ address }) => isPublicAddress(address));
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
