import { GatewayError } from '@sluice/canonical';
import type { FastifyRequest } from 'fastify';

/** @returns undefined if the request has none. @throws GatewayError `invalid_request` */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const header = headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(header)) return header;
  throw new GatewayError('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters.', {
    param: 'Idempotency-Key',
  });
}
