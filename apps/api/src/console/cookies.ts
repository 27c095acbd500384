import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleSession } from '../auth/console-sessions.ts';
import { SESSION_COOKIE } from '../auth/use-sessions.ts';

interface CookieOptions {
  maxAgeS: number;
  /** A `Lax` cookie is also sent when another site, such as the sign-in provider, links to Sluice. */
  sameSite: 'Strict' | 'Lax';
}

/** Adds a cookie that scripts cannot read. */
export function addCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  [name, value]: readonly [string, string],
  { maxAgeS, sameSite }: CookieOptions,
): void {
  const isSecure = request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https';
  const attributes = ['Path=/', `Max-Age=${maxAgeS}`, 'HttpOnly', `SameSite=${sameSite}`];
  const text = [`${name}=${value}`, ...attributes, ...(isSecure ? ['Secure'] : [])].join('; ');
  void reply.header('set-cookie', text);
}

/** Sets the cookie of a new session, and removes it if there is none. Also notes the session for the audit log. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token = '',
  session?: ConsoleSession,
): void {
  if (session) request.consoleSession = session;
  const maxAgeS = session ? Math.floor((session.expiresAt - session.createdAt) / 1_000) : 0;
  addCookie(request, reply, [SESSION_COOKIE, token], { maxAgeS, sameSite: 'Strict' });
}
