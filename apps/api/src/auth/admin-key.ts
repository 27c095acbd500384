import { createHash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '@sluice/canonical';
import type { FastifyRequest } from 'fastify';
import type { SessionRole } from './console-sessions.ts';

/** Longer credentials (in characters) are rejected without a comparison, unless the admin key itself is longer. */
const MAX_CREDENTIAL_LENGTH = 1_024;

/** The least role of a session that may call an endpoint. The admin key may call all. */
export type AdminRole = Exclude<SessionRole, 'holder'>;

const RANKS: Readonly<Record<SessionRole, number>> = { holder: 0, viewer: 1, operator: 2, admin: 3 };

/** Returns whether the request has the admin key, or a session that was opened with it or with single sign-on. */
export function adminDetector(adminKey: string | undefined): (request: FastifyRequest) => boolean {
  const isAdminKey = adminKeyMatcher(adminKey);
  return (request) => {
    if (request.consoleSession) return RANKS[request.consoleSession.role] >= RANKS.viewer;
    const credential = credentialOf(request);
    return credential !== undefined && isAdminKey(credential);
  };
}

/** @returns a function that throws a GatewayError for a request without the admin key or a session of at least a role */
export function createAdminCheck(adminKey: string | undefined): (request: FastifyRequest, role: AdminRole) => void {
  const isAdmin = adminDetector(adminKey);
  return (request, role) => {
    if (isAdmin(request)) return checkRole(request, role);
    const what = credentialOf(request) === undefined ? 'No admin key was sent.' : 'The admin key is invalid.';
    throw new GatewayError('invalid_api_key', `${what} Send it as \`Authorization: Bearer SLUICE_ADMIN_KEY\`.`);
  };
}

function checkRole({ consoleSession: session }: FastifyRequest, role: AdminRole): void {
  if (!session || RANKS[session.role] >= RANKS[role]) return;
  throw new GatewayError('permission_denied', `The role \`${session.role}\` may not do this. It needs \`${role}\`.`);
}

/** Returns whether a text is the admin key. */
export function adminKeyMatcher(adminKey: string | undefined): (text: string) => boolean {
  return adminKey === undefined ? () => false : compareWith(adminKey);
}

function credentialOf({ headers }: FastifyRequest): string | undefined {
  const { authorization = '' } = headers;
  // A single regular expression for the entire header could backtrack over many spaces for seconds.
  const bearer = /^Bearer /i.test(authorization) ? authorization.slice('Bearer '.length).trim() : '';
  if (bearer !== '') return bearer;
  const value = headers['x-api-key'];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Compares hashes. They all have the same length, so the comparison time reveals nothing about the key. */
function compareWith(adminKey: string): (credential: string) => boolean {
  const expected = sha256(adminKey);
  const maxLength = Math.max(MAX_CREDENTIAL_LENGTH, adminKey.length);
  return (credential) => credential.length <= maxLength && timingSafeEqual(sha256(credential), expected);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
