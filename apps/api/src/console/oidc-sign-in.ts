import { createHmac } from 'node:crypto';
import type { Config } from '@sluice/config';
import type { AdminRole } from '../auth/admin-key.ts';
import { createOidcClient, type OidcClient, type OidcUser, type SignInSecrets } from './oidc-client.ts';

export interface OidcSignIn {
  /** Shown on the sign-in button. */
  name: string;
  /** Identifies the settings in sessions, so that a change of the provider, the client, or the roles ends them. */
  hash: string;
  client: OidcClient;
  /** Returns the highest role of a user's groups. Undefined if none has a role. */
  roleOf(user: OidcUser): AdminRole | undefined;
  /**
   * Returns the value of the browser's cookie for a new sign-in.
   * @param to where the sign-in should end, relative to `/console/`. Ignored unless it is a page of the console
   */
  begin(to: string): string;
  /** Returns where a sign-in ends, relative to `/console/`: a page of the console, or `''` for the first. */
  pageOf(cookie: string | undefined): string;
  /** Returns the secrets of a sign-in. Undefined if the cookie is missing, malformed, or older than ten minutes. */
  secretsOf(cookie: string | undefined): SignInSecrets | undefined;
}

export interface OidcSignInOptions {
  config: Pick<Config, 'console' | 'server'>;
  secret: string;
  /** Unix milliseconds. */
  now: () => number;
  randomBytes: (size: number) => Uint8Array;
}

export const OIDC_PATH = '/console/api/oidc';
/** The time that a user has to sign in at the provider. */
export const SIGN_IN_S = 600;
const ROLES = ['admin', 'operator', 'viewer'] as const;
/** The time, random bytes, and the page in base64url. */
const COOKIE = /^(\d{10,12})\.[\w-]{43}(?:\.([\w-]{1,1400}))?$/;
const MAX_PAGE_LENGTH = 1_024;

/** Returns undefined if single sign-on is not configured. */
export function createOidcSignIn(options: OidcSignInOptions): OidcSignIn | undefined {
  const { config, secret, now, randomBytes } = options;
  const { oidc } = config.console;
  const { public_url: publicUrl } = config.server;
  if (!oidc || publicUrl === undefined) return undefined;
  const derive = (purpose: string, text: string): string =>
    createHmac('sha256', secret).update(`console oidc ${purpose} ${text}`).digest('base64url');
  const seconds = (): number => Math.floor(now() / 1_000);
  const { issuer, client_id: clientId, client_secret: clientSecret, scopes, groups_claim: groupsClaim, roles } = oidc;
  const redirectUri = `${publicUrl.replace(/\/+$/, '')}${OIDC_PATH}/callback`;
  return {
    name: oidc.name,
    hash: derive('settings', JSON.stringify([issuer, clientId, groupsClaim, roles])),
    client: createOidcClient({ issuer, clientId, clientSecret, scopes, groupsClaim, redirectUri }),
    roleOf: ({ groups }) => ROLES.find((role) => roles[role].some((group) => groups.includes(group))),
    begin(to) {
      const page = Buffer.from(pageWithin(to)).toString('base64url');
      const cookie = `${seconds()}.${Buffer.from(randomBytes(32)).toString('base64url')}`;
      return page === '' ? cookie : `${cookie}.${page}`;
    },
    pageOf(cookie = '') {
      const [, , page = ''] = COOKIE.exec(cookie) ?? [];
      return pageWithin(Buffer.from(page, 'base64url').toString());
    },
    // The secrets are derived, so that no process has to store them before the user has signed in.
    secretsOf(cookie = '') {
      const [, begun] = COOKIE.exec(cookie) ?? [];
      if (begun === undefined || Math.abs(seconds() - Number(begun)) > SIGN_IN_S) return undefined;
      return { state: derive('state', cookie), nonce: derive('nonce', cookie), verifier: derive('verifier', cookie) };
    },
  };
}

/** Returns the normalized path and query of a page below `/console/`. `''` for all else, such as other sites. */
function pageWithin(to: string): string {
  const root = 'http://console.invalid/console/';
  if (to.length > MAX_PAGE_LENGTH || !URL.canParse(to, root)) return '';
  const { origin, pathname, search } = new URL(to, root);
  if (!(origin + pathname).startsWith(root)) return '';
  const page = pathname.slice('/console/'.length) + search;
  // `/` would begin an absolute path, or with a second one another host.
  return /^(?:\/|api(?:\/|$|\?))/.test(page) || page.length > MAX_PAGE_LENGTH ? '' : page;
}
