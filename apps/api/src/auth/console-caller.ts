import { GatewayError } from '@sluice/canonical';
import type { FastifyRequest } from 'fastify';
import { type ApiKey, keyWithoutLimits } from './api-keys.ts';
import { consoleOwner } from './console-owner.ts';
import type { ConsoleSession, SessionRole } from './console-sessions.ts';

interface SessionRequest extends Pick<FastifyRequest, 'method' | 'headers'> {
  consoleSession: Pick<ConsoleSession, 'role' | 'name' | 'subject'> | undefined;
}

/**
 * Returns the caller of a request with a session of the admin key or of single sign-on. Undefined without such a
 * session. An admin may use every model and has no limits, because an admin could also create such a key. The other
 * roles only read. Usage and tasks are recorded under the name of `consoleOwner`.
 * @throws GatewayError `permission_denied`
 */
export function consoleCaller({ consoleSession: session, method, headers }: SessionRequest): ApiKey | undefined {
  if (!session || session.role === 'holder') return undefined;
  const isRead = (method === 'GET' || method === 'HEAD') && headers.upgrade === undefined;
  if (session.role === 'admin' || isRead) {
    return consoleKey(consoleOwner(session));
  }
  throw refusal(session.role, 'call models');
}

/** @param name result of `consoleOwner` */
export function consoleKey(name: string): ApiKey {
  return keyWithoutLimits(name);
}

/**
 * Refuses a read that returns a secret, or creates one, to roles that only read.
 * @throws GatewayError `permission_denied`
 */
export function checkSecretReader({ consoleSession: session }: Pick<SessionRequest, 'consoleSession'>): void {
  if (session?.role === 'viewer' || session?.role === 'operator') throw refusal(session.role, 'read secrets');
}

function refusal(role: SessionRole, what: string): GatewayError {
  const remedy = 'Sign in with an API key, or as `admin`.';
  return new GatewayError('permission_denied', `The role \`${role}\` cannot ${what}. ${remedy}`);
}
