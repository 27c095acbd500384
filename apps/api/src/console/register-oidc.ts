import { GatewayError, isSameSecret } from '@sluice/canonical';
import type { Logger } from '@sluice/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleSessions } from '../auth/console-sessions.ts';
import { clientAddress } from './client-address.ts';
import { CONSOLE_PROTOCOL } from './console-endpoint.ts';
import { addCookie, setSessionCookie } from './cookies.ts';
import { failureCodes, type SignInSecrets } from './oidc-client.ts';
import { OIDC_PATH, type OidcSignIn, SIGN_IN_S } from './oidc-sign-in.ts';

export interface OidcDeps {
  oidc: OidcSignIn;
  sessions: ConsoleSessions;
  logger: Logger;
}

/** Shown by the sign-in screen. */
type Problem = 'provider_unavailable' | 'expired' | 'denied' | 'failed' | 'no_role' | 'rate_limited' | 'unavailable';

export const OIDC_ROUTES = ([OIDC_PATH, `${OIDC_PATH}/callback`] as const).map(
  (path) => ({ method: 'GET', path, protocol: CONSOLE_PROTOCOL }) as const,
);

const COOKIE = 'sluice_sign_in';
/** Relative, because a proxy can serve the console below any prefix. */
const FROM_START = '../';
const FROM_CALLBACK = '../../';

/** Registers the redirect to the provider, and the path to which the provider redirects back. */
export function registerOidc(app: FastifyInstance, deps: OidcDeps): void {
  const encodeError = CONSOLE_PROTOCOL.encodeError;
  app.route({
    method: 'GET',
    url: OIDC_PATH,
    config: { encodeError, ignoresSession: true },
    handler: (request, reply) => begin(deps, request, reply),
  });
  app.route({
    method: 'GET',
    url: `${OIDC_PATH}/callback`,
    config: { encodeError, ignoresSession: true, audit: 'consoleSignInWithOidc' },
    handler: (request, reply) => finish(deps, request, reply),
  });
}

async function begin({ oidc, logger }: OidcDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const cookie = oidc.begin(new URLSearchParams(request.url.split('?', 2)[1]).get('to') ?? '');
  // A new cookie always has secrets.
  const secrets = oidc.secretsOf(cookie) as SignInSecrets;
  try {
    const url = await oidc.client.signInUrl(secrets);
    addCookie(request, reply, [COOKIE, cookie], { maxAgeS: SIGN_IN_S, sameSite: 'Lax' });
    return redirect(reply, url.href);
  } catch (error) {
    logger.warn({ request_id: request.id, ...failureCodes(error) }, 'OIDC provider unavailable');
    return refuse(reply, FROM_START, 'provider_unavailable');
  }
}

async function finish(deps: OidcDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { oidc, sessions, logger } = deps;
  addCookie(request, reply, [COOKIE, ''], { maxAgeS: 0, sameSite: 'Lax' });
  const query = request.url.split('?', 2)[1] ?? '';
  const cookie = signInCookieOf(request);
  const secrets = oidc.secretsOf(cookie);
  if (!secrets || !isSameSecret(secrets.state, new URLSearchParams(query).get('state') ?? '')) {
    return refuse(reply, FROM_CALLBACK, 'expired');
  }
  try {
    const takeBack = await sessions.countAttempt(clientAddress(request));
    const user = await oidc.client.identify(query, secrets);
    await takeBack();
    const { subject, name } = user;
    const role = oidc.roleOf(user);
    if (role === undefined) {
      request.audited = { by: { actor: { type: 'oidc', name, subject } }, status: 403 };
      return refuse(reply, FROM_CALLBACK, 'no_role');
    }
    const userAgent = request.headers['user-agent'] ?? '';
    const [token, session] = await sessions.open({ role, name, subject, keyHash: oidc.hash, userAgent });
    setSessionCookie(request, reply, token, session);
    return redirect(reply, FROM_CALLBACK + oidc.pageOf(cookie));
  } catch (error) {
    if (!(error instanceof GatewayError)) {
      logger.warn({ request_id: request.id, ...failureCodes(error) }, 'OIDC sign-in failed');
    }
    return refuse(reply, FROM_CALLBACK, problemOf(error));
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof GatewayError) return error.code === 'rate_limited' ? 'rate_limited' : 'unavailable';
  const { reason, provider_error: refusal } = failureCodes(error);
  if (reason === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' && refusal === 'access_denied') return 'denied';
  // Other codes are those of failed connections.
  return reason.startsWith('OAUTH_') && reason !== 'OAUTH_TIMEOUT' ? 'failed' : 'provider_unavailable';
}

/** Returns to the sign-in screen, which explains the problem. */
function refuse(reply: FastifyReply, to: string, problem: Problem): FastifyReply {
  return redirect(reply, `${to}?sign_in=${problem}`);
}

/** The page of the callback has the code in its URL, so no other page may learn the URL. */
function redirect(reply: FastifyReply, to: string): FastifyReply {
  return reply.header('referrer-policy', 'no-referrer').redirect(to, 302);
}

function signInCookieOf({ headers }: FastifyRequest): string | undefined {
  return /(?:^|;\s*)sluice_sign_in=([\w.-]{1,1500})(?:;|$)/.exec(headers.cookie ?? '')?.[1];
}
