import { GatewayError } from '@sluice/canonical';
import type { FastifyRequest } from 'fastify';

/**
 * Rejects requests of pages of other origins. Browsers send `Sec-Fetch-Site` over https and to this machine, and
 * `Origin` with every other request that changes something.
 * @throws GatewayError `permission_denied`
 */
export function checkSameOrigin(request: FastifyRequest, publicOrigin: string | undefined): void {
  const { method, headers } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const { origin } = headers;
  if (origin !== undefined && !isOwn(origin, request, publicOrigin)) throw refusal();
  const site = headers['sec-fetch-site'];
  // `none` is an address that the user entered.
  if (site === 'same-origin' || (isRead && site === 'none')) return;
  if (site !== undefined || (!isRead && origin === undefined)) throw refusal();
}

function isOwn(origin: string, { headers, protocol }: FastifyRequest, publicOrigin: string | undefined): boolean {
  if (origin === publicOrigin) return true;
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  const forwarded = headers['x-forwarded-host'];
  const hosts = [headers.host, ...(typeof forwarded === 'string' ? [forwarded] : [])];
  return hosts.some((own) => own !== undefined && hostOf(own, protocol) === host);
}

/** Browsers omit the default port. */
function hostOf(host: string, protocol: string): string {
  return URL.canParse(`${protocol}://${host}`) ? new URL(`${protocol}://${host}`).host : host;
}

function refusal(): GatewayError {
  return new GatewayError('permission_denied', 'The session of the console works only for its own pages.');
}
