import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError } from '@sluice/canonical';
import { type Config, LOCAL_KEY } from '@sluice/config';
import type { ApiKey } from '../auth/api-keys.ts';

/** Looks at which web page a handshake comes from. @throws GatewayError `invalid_request` */
export type CheckOrigin = (headers: IncomingHttpHeaders, apiKey: Pick<ApiKey, 'name'>) => void;

/**
 * Browsers let any page connect a web socket to anywhere, this machine too, and tell in `Origin` which one did; other clients
 * have none. A key is what keeps strangers out, but for the one that everybody knows: with it, pages of this machine alone may
 * open sessions, unless the configuration names others.
 */
export function createOriginCheck({ server: { origins }, keys }: Pick<Config, 'server' | 'keys'>): CheckOrigin {
  const known = new Set(keys.filter(({ key }) => key === LOCAL_KEY).map(({ name }) => name));
  const allowed = origins && new Set(origins.map((origin) => origin.toLowerCase()));
  return (headers, { name }) => {
    // The last draft before RFC 6455 has another name for it.
    const origin = headers.origin ?? headers['sec-websocket-origin'];
    if (typeof origin !== 'string') return;
    if (allowed ? allowed.has(origin.toLowerCase()) : !known.has(name) || isOfThisMachine(origin)) return;
    throw new GatewayError(
      'invalid_request',
      allowed
        ? 'Web pages of this origin may not open realtime sessions. Add it to server.origins.'
        : `Everybody knows the key ${LOCAL_KEY}: web pages of other machines may not use it. Set SLUICE_KEY to another.`,
    );
  };
}

function isOfThisMachine(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
