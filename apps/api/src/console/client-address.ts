import type { FastifyRequest } from 'fastify';

/**
 * Returns the IP address of the client. Behind a proxy of `server.trusted_proxies`, it is the last address in
 * `X-Forwarded-For` that is not of such a proxy. Some proxies (Azure) add the port of the client, which is removed.
 */
export function clientAddress({ ip }: Pick<FastifyRequest, 'ip'>): string {
  const [, v6, v4] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(ip) ?? [];
  return v6 ?? v4 ?? ip;
}
