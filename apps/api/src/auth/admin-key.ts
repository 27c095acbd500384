import { createHash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '@sluice/canonical';
import type { FastifyRequest } from 'fastify';

/** Longer credentials are rejected unread, in characters, unless the admin key itself is longer. */
const MAX_CREDENTIAL_LENGTH = 1_024;

export function createAdminCheck(adminKey: string): (request: FastifyRequest) => void {
  const isAdminKey = compareWith(adminKey);
  return (request) => {
    const credential = credentialOf(request);
    if (credential !== undefined && isAdminKey(credential)) return;
    const what = credential === undefined ? 'No admin key was sent.' : 'The admin key is invalid.';
    throw new GatewayError('invalid_api_key', `${what} Send it as \`Authorization: Bearer SLUICE_ADMIN_KEY\`.`);
  };
}

function credentialOf({ headers }: FastifyRequest): string | undefined {
  const { authorization = '' } = headers;
  // No regular expression for the whole header: one that backtracks from each blank takes seconds.
  const bearer = /^Bearer /i.test(authorization) ? authorization.slice('Bearer '.length).trim() : '';
  if (bearer !== '') return bearer;
  const value = headers['x-api-key'];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Compares hashes, which have one length, so that the duration of the comparison reveals nothing. */
function compareWith(adminKey: string): (credential: string) => boolean {
  const expected = sha256(adminKey);
  const maxLength = Math.max(MAX_CREDENTIAL_LENGTH, adminKey.length);
  return (credential) => credential.length <= maxLength && timingSafeEqual(sha256(credential), expected);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
