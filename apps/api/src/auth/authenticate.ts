import { GatewayError } from '@sluice/canonical';
import type { FastifyRequest } from 'fastify';
import type { ApiKey, FindApiKey } from './api-keys.ts';

/**
 * Finds out who is calling. Any credential of any protocol is taken on any route; of several the first counts, in this
 * order: Bearer, `x-api-key`, `x-gen-api-key` or `x-goog-api-key`, `?key=`, and what else the route takes.
 * @param other a credential that stands elsewhere
 * @throws GatewayError `invalid_api_key`; `store_unavailable` for one that may be stored, before any could be read
 */
export function authenticate(request: FastifyRequest, findApiKey: FindApiKey, other?: string): ApiKey {
  const credential = credentialOf(request) ?? other;
  const key = credential === undefined ? undefined : findApiKey(credential);
  if (key) return key;
  throw new GatewayError(
    'invalid_api_key',
    credential === undefined
      ? 'No API key was sent. Send it as `Authorization: Bearer YOUR_KEY`.'
      : 'The API key is not known here. Check the key.',
  );
}

function credentialOf({ headers, query }: FastifyRequest): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  for (const name of ['x-api-key', 'x-gen-api-key', 'x-goog-api-key']) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  if (typeof query === 'object' && query !== null && 'key' in query && typeof query.key === 'string') return query.key;
  return undefined;
}
