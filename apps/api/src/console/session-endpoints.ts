import { hashSecret } from '@sluice/access';
import { GatewayError } from '@sluice/canonical';
import { z } from 'zod';
import { type ConsoleSession, csrfTokenOf } from '../auth/console-sessions.ts';
import { checkSameOrigin } from '../auth/same-origin.ts';
import { sessionTokenOf } from '../auth/use-sessions.ts';
import { clientAddress } from './client-address.ts';
import { setSessionCookie } from './cookies.ts';
import { type ConsoleDeps, type ConsoleEndpoint, defineConsoleEndpoint } from './console-endpoint.ts';

const MAX_KEY_LENGTH = 1_024;

const SignInSchema = z.strictObject({
  key: z
    .string('must be text')
    .min(1, 'must not be empty')
    .max(MAX_KEY_LENGTH, `must be at most ${MAX_KEY_LENGTH} characters`),
  role: z.enum(['admin', 'operator', 'viewer'], 'must be admin, operator, or viewer').optional(),
});

/** Sign-in, sign-out, and the list of sessions. They are only for the console's pages. */
export const SESSION_ENDPOINTS: readonly ConsoleEndpoint[] = [
  defineConsoleEndpoint({
    method: 'POST',
    operationId: 'consoleSignIn',
    path: '/console/api/session',
    body: SignInSchema,
    isPublic: true,
    status: 201,
    serve: async (deps, { request, reply, body }) => {
      checkSameOrigin(request, deps.publicOrigin);
      const takeBack = await deps.sessions.countAttempt(clientAddress(request));
      const identity = identify(deps, body);
      await takeBack();
      const userAgent = request.headers['user-agent'] ?? '';
      const [token, session] = await deps.sessions.open({ ...identity, userAgent });
      setSessionCookie(request, reply, token, session);
      return showOwn(deps, session, token);
    },
  }),
  defineConsoleEndpoint({
    method: 'GET',
    path: '/console/api/sign-in',
    isPublic: true,
    status: 200,
    serve: async ({ oidc }) => ({ object: 'console.sign_in', oidc: oidc ? { name: oidc.name } : null }),
  }),
  defineConsoleEndpoint({
    method: 'GET',
    path: '/console/api/session',
    status: 200,
    serve: async (deps, { request, session }) => showOwn(deps, session, sessionTokenOf(request)),
  }),
  defineConsoleEndpoint({
    method: 'DELETE',
    operationId: 'consoleSignOut',
    path: '/console/api/session',
    status: 200,
    serve: async (deps, { request, reply, session }) => {
      if (session) await deps.sessions.end(session.id);
      setSessionCookie(request, reply);
      return { object: 'console.session', deleted: true };
    },
  }),
  defineConsoleEndpoint({
    method: 'GET',
    path: '/console/api/sessions',
    status: 200,
    serve: async ({ sessions }, { session }) => {
      const visible = (await sessions.list()).filter((one) => session && mayEnd(session, one));
      return {
        object: 'list',
        data: visible.map((one) => Object.assign(show(one), { is_current: one.id === session?.id })),
      };
    },
  }),
  defineConsoleEndpoint({
    method: 'DELETE',
    operationId: 'consoleEndSession',
    path: '/console/api/sessions/:id',
    status: 200,
    serve: async ({ sessions }, { request, session }) => {
      // The cast is safe because the path has this parameter.
      const { id } = request.params as { id: string };
      const found = (await sessions.list()).find((one) => one.id === id);
      if (!found || !session || !mayEnd(session, found)) {
        throw new GatewayError('not_found', 'No such session. It may have ended.');
      }
      await sessions.end(id);
      return { object: 'console.session', id, deleted: true };
    },
  }),
];

/** @throws GatewayError `invalid_api_key`; `invalid_request` for a role that the key cannot have */
function identify(
  { isAdminKey, adminHash, findApiKey }: ConsoleDeps,
  { key, role }: z.output<typeof SignInSchema>,
): Pick<ConsoleSession, 'role' | 'name' | 'keyHash'> {
  if (adminHash !== undefined && isAdminKey(key)) return { role: role ?? 'admin', name: 'admin', keyHash: adminHash };
  const keyHash = hashSecret(key);
  const apiKey = findApiKey(keyHash);
  if (!apiKey) throw new GatewayError('invalid_api_key', 'The key is invalid. Enter an API key or the admin key.');
  if (role === undefined) return { role: 'holder', name: apiKey.name, keyHash };
  throw new GatewayError('invalid_request', 'role is only for the admin key.', { param: 'role' });
}

/** An admin sees all sessions, and each other person those of the same credential and role. */
function mayEnd(own: ConsoleSession, other: ConsoleSession): boolean {
  if (own.role === 'admin') return true;
  return own.role === other.role && own.keyHash === other.keyHash && own.subject === other.subject;
}

function show({ id, role, name, createdAt, expiresAt, userAgent }: ConsoleSession) {
  const [created, expires] = [createdAt, expiresAt].map((ms) => Math.floor(ms / 1_000));
  return { object: 'console.session', id, role, name, created_at: created, expires_at: expires, user_agent: userAgent };
}

function showOwn({ hasLedger, hasAdminApi, version, traceUrl }: ConsoleDeps, session?: ConsoleSession, token?: string) {
  if (!session || token === undefined) throw new GatewayError('internal_error', 'The session is missing.');
  const features = { ledger: hasLedger, admin: hasAdminApi };
  // Traces are of all keys.
  const traces = traceUrl !== undefined && session.role !== 'holder' && { trace_url: traceUrl };
  return { ...show(session), csrf_token: csrfTokenOf(token), features, version, ...traces };
}
