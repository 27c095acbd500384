import { GatewayError } from '@sluice/canonical';
import type { FastifyRequest } from 'fastify';
import { type ApiKey, apiKeyOf } from './api-keys.ts';
import type { ConsoleSession } from './console-sessions.ts';

/**
 * The caller of requests that an admin sends from the console without an API key. It may use every model and has no
 * limits, because an admin could also create such a key. Its usage and tasks are recorded under this name.
 */
const CONSOLE_CALLER = apiKeyOf({ name: 'console:admin', strict: false, vendor_references: false });

interface SessionRequest extends Pick<FastifyRequest, 'method' | 'headers'> {
  consoleSession: Pick<ConsoleSession, 'role'> | undefined;
}

/**
 * Returns the caller of a request with a session that was opened with the admin key. The other roles of the admin key
 * only read. Undefined without such a session.
 * @throws GatewayError `permission_denied`
 */
export function consoleCaller({ consoleSession: session, method, headers }: SessionRequest): ApiKey | undefined {
  if (!session || session.role === 'holder') return undefined;
  const isRead = (method === 'GET' || method === 'HEAD') && headers.upgrade === undefined;
  if (session.role === 'admin' || isRead) return CONSOLE_CALLER;
  throw new GatewayError(
    'permission_denied',
    `The role \`${session.role}\` cannot call models. Sign in with an API key, or as \`admin\`.`,
  );
}
