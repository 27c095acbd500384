import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError } from '@sluice/canonical';
import { type Config, LOCAL_KEY } from '@sluice/config';
import type { ApiKey } from '../auth/api-keys.ts';

/** @throws GatewayError `invalid_request` if the web page is not allowed to open sessions */
export type CheckOrigin = (headers: IncomingHttpHeaders, apiKey: Pick<ApiKey, 'name'>) => void;

/**
 * Browsers let any page open a WebSocket to any host, including localhost, and send the page's `Origin`. Other clients
 * send no `Origin`. Foreign pages do not know a secret key, but the default key is public. With the default key, only
 * pages on this machine can open sessions, unless the configuration lists origins.
 */
export function createOriginCheck({ server: { origins }, keys }: Pick<Config, 'server' | 'keys'>): CheckOrigin {
  const known = new Set(keys.filter(({ key }) => key === LOCAL_KEY).map(({ name }) => name));
  const allowed = origins && new Set(origins.map((origin) => origin.toLowerCase()));
  return (headers, { name }) => {
    // The last draft before RFC 6455 used this header name.
    const origin = headers.origin ?? headers['sec-websocket-origin'];
    if (typeof origin !== 'string') return;
    if (allowed ? allowed.has(origin.toLowerCase()) : !known.has(name) || isOfThisMachine(origin)) return;
    throw new GatewayError(
      'invalid_request',
      allowed
        ? 'Web pages of this origin may not open realtime sessions. Add the origin to `server.origins`.'
        : `The key \`${LOCAL_KEY}\` is public, so web pages of other machines may not use it. Set \`SLUICE_KEY\` to another key.`,
    );
  };
}

function isOfThisMachine(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
