import type { FastifyRequest } from 'fastify';
import { carriesBearerKey } from '../../http/bearer-key.ts';
import type { WireError } from '../../http/wire-error.ts';
import type { MediaVendor } from '../media/media-vendor.ts';

/** @throws the error that `refuse` creates: 1004 without a key, 2049 for an invalid one (docs, "Error Codes"). */
export function checkKey(
  { headers: { authorization } }: Pick<FastifyRequest, 'headers'>,
  { apiKey }: Pick<MediaVendor, 'apiKey'>,
  refuse: (code: number, message: string) => WireError,
): void {
  if (carriesBearerKey(authorization, apiKey)) return;
  if (authorization !== undefined) throw refuse(2049, 'invalid api key');
  const message = "login fail: Please carry the API secret key in the 'Authorization' field of the request header";
  throw refuse(1004, message);
}
