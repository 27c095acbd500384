import { GatewayError } from '@sluice/canonical';
import type { FastifyRequest } from 'fastify';
import { hashSecret } from '@sluice/access';
import type { ApiKey, FindApiKey } from './api-keys.ts';
import { consoleCaller } from './console-caller.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every protocol endpoint before the body is read; unset for signed links. */
    apiKey: ApiKey | undefined;
    /** Hash of the credential in the headers or the query, for the second check after the body is read. */
    credentialHash: string | undefined;
  }
}

/**
 * @param other a credential from another part of the request
 * @throws GatewayError `invalid_api_key`
 */
export type CallerOf = (request: FastifyRequest, other?: string) => ApiKey;

/**
 * Every endpoint accepts the credentials of every protocol, in this order of precedence: Bearer, `x-api-key`,
 * `x-gen-api-key` or `x-goog-api-key`, `?key=`, `other`.
 * A session of the console without an API key calls as its `consoleOwner`.
 * @throws GatewayError `invalid_api_key`; `store_unavailable` if stored keys have never been read; `permission_denied`
 * for a session whose role cannot call models
 */
export function authenticate(request: FastifyRequest, findApiKey: FindApiKey, other?: string): ApiKey {
  const hash = (request.credentialHash ??= hashOf(credentialOf(request))) ?? hashOf(other);
  const key = hash === undefined ? consoleCaller(request) : findApiKey(hash);
  if (key) return key;
  throw new GatewayError(
    'invalid_api_key',
    hash === undefined
      ? 'No API key was sent. Send it as `Authorization: Bearer YOUR_KEY`.'
      : 'The API key is invalid. Check the key.',
  );
}

function hashOf(credential: string | undefined): string | undefined {
  return credential === undefined ? undefined : hashSecret(credential);
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
