import type { FastifyRequest } from 'fastify';
import { isKey } from '../../http/bearer-key.ts';
import { generativeError, invalidKey } from './google-error.ts';

/** @throws WireError 403 without a key, 400 for an invalid one. */
export function checkGoogleKey({ headers, query }: FastifyRequest, apiKey: string): void {
  const key: unknown = headers['x-goog-api-key'] ?? Object(query).key;
  if (key === undefined) {
    const words = 'callers without established identity';
    const message = `Method doesn't allow unregistered callers (${words}). Please use API Key or other form of API consumer identity to call this API.`;
    throw generativeError(403, message);
  }
  if (!isKey(key, apiKey)) throw invalidKey();
}
