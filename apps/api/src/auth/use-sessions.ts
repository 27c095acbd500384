import { GatewayError } from '@sluice/canonical';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ConsoleSession, type ConsoleSessions, isCsrfToken } from './console-sessions.ts';
import { checkSameOrigin } from './same-origin.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if the cookie of a console session is the request's credential. */
    consoleSession: ConsoleSession | undefined;
  }
  interface FastifyContextConfig {
    /** The route ignores the session of the request, for example because it opens one. */
    ignoresSession?: boolean;
  }
}

export const SESSION_COOKIE = 'sluice_session';

/** A request with one of these does not use its cookie. */
const CREDENTIAL_HEADERS = ['authorization', 'x-api-key', 'x-gen-api-key', 'x-goog-api-key'];

export interface SessionOptions {
  sessions: Pick<ConsoleSessions, 'find'>;
  /** Identify the admin key and the settings of single sign-on. Other sessions of operators have ended. */
  operatorHashes: ReadonlySet<string>;
  /** Origin of `server.public_url`. */
  publicOrigin: string | undefined;
}

/**
 * Accepts the cookie of a console session in place of a key. A request without the cookie costs one comparison.
 * Requests that change something must also have the session's CSRF token, and all must be of the same origin.
 */
export function useSessions(app: FastifyInstance, { sessions, operatorHashes, publicOrigin }: SessionOptions): void {
  app.decorateRequest('consoleSession', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.cookie === undefined) return done();
    const token = sessionTokenOf(request);
    if (token === undefined || request.routeOptions.config.ignoresSession === true || hasCredential(request)) {
      return done();
    }
    void accept(request, token, done);
  });

  /** Passes GatewayError `permission_denied` or `store_unavailable` to `done`. */
  async function accept(request: FastifyRequest, token: string, done: (error?: Error) => void): Promise<void> {
    try {
      const session = await sessions.find(token);
      if (session && (session.role === 'holder' || operatorHashes.has(session.keyHash))) {
        checkSameOrigin(request, publicOrigin);
        checkCsrf(request, token);
        request.consoleSession = session;
        // `authenticate` checks that the key is still valid.
        if (session.role === 'holder') request.credentialHash = session.keyHash;
      }
    } catch (error) {
      return done(error as Error); // The cast is safe because all of these throw only errors.
    }
    done();
  }
}

export function sessionTokenOf({ headers }: FastifyRequest): string | undefined {
  return /(?:^|;\s*)sluice_session=([\w-]{43})(?:;|$)/.exec(headers.cookie ?? '')?.[1];
}

function hasCredential({ headers }: FastifyRequest): boolean {
  return CREDENTIAL_HEADERS.some((name) => headers[name] !== undefined);
}

function checkCsrf({ method, headers }: FastifyRequest, token: string): void {
  if (method === 'GET' || method === 'HEAD' || isCsrfToken(token, headers['x-csrf-token'])) return;
  throw new GatewayError(
    'permission_denied',
    'The `x-csrf-token` header is missing or invalid. Reload the page, or send an API key instead of the cookie.',
  );
}
