import { OIDC_CLIENT, type OidcServer, type OidcServerOptions, startOidcServer } from '@sluice/testkit';
import { expect, onTestFinished } from 'vitest';
import { type AdminRig, adminRig } from '../admin-rig.ts';
import { apiRig } from '../api-rig.ts';
import { type OidcBrowser, oidcBrowser } from './oidc-browser.ts';

/** Behind a proxy that adds a prefix. */
export const PUBLIC_URL = 'https://sluice.test/team/gateway';
export const CALLBACK = `${PUBLIC_URL}/console/api/oidc/callback`;
export const CONSOLE = `${PUBLIC_URL}/console/`;
const USERS = {
  ada: { email: 'ada@corp.test', groups: ['staff', 'platform'] },
  otto: { email: 'otto@corp.test', groups: ['on-call'] },
  vera: { email: 'vera@corp.test', groups: ['staff'] },
  victor: { groups: 'staff' },
  eve: { email: 'eve@corp.test', groups: ['guests'] },
  nadine: { email: 'nadine@corp.test' },
  odd: { email: 'odd@corp.test', groups: { admin: ['platform'], 0: 'platform' } },
};
const ROLES = { admin: ['platform'], operator: ['on-call'], viewer: ['staff'] };

export async function startProvider(options: Partial<OidcServerOptions> = {}): Promise<OidcServer> {
  return startOidcServer({ redirectUris: [CALLBACK], users: USERS, ...options });
}

export function configOf(issuer: string, more: object = {}) {
  const client = { client_id: OIDC_CLIENT.id, client_secret: OIDC_CLIENT.secret };
  const oidc = { name: 'Corp', issuer, ...client, scopes: ['openid', 'email', 'groups'], roles: ROLES, ...more };
  return { server: { public_url: PUBLIC_URL }, console: { session_ms: 3_600_000, oidc } };
}

/** An API with an admin key, with its own provider. */
export async function startOidcRig(): Promise<AdminRig> {
  const provider = await startProvider();
  const { server, console } = configOf(provider.issuer);
  const admin_key = 'an admin key of the rig';
  // These tests send more sign-ins in a minute than an address may fail.
  const rig = await adminRig({ config: { server: { ...server, admin_key }, console }, redisTimeoutMs: 10_000 });
  return {
    ...rig,
    async close() {
      await rig.close();
      await provider.close();
    },
  };
}

/** An API without an admin key, with its own provider. */
export async function ownRig(options: Partial<OidcServerOptions> = {}, more: object = {}) {
  const provider = await startProvider(options);
  onTestFinished(() => provider.close());
  const rig = await apiRig({ config: configOf(provider.issuer, more), redisTimeoutMs: 10_000 });
  onTestFinished(() => rig.close());
  return { provider, rig, browser: oidcBrowser(rig, PUBLIC_URL) };
}

export function locationOf(response: Response): string {
  return new URL(response.headers.get('location') ?? '', CALLBACK).href;
}

export async function sessionOf(browser: OidcBrowser): Promise<Record<string, unknown>> {
  const response = await browser.call('/console/api/session');
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>; // The response is a session.
}

/** The error of the sign-in screen to which a callback redirects. Undefined after a success. */
export function problemOf(response: Response): string | undefined {
  expect(response.status).toBe(302);
  const { origin, pathname, searchParams } = new URL(locationOf(response));
  expect(origin + pathname).toBe(CONSOLE);
  return searchParams.get('sign_in') ?? undefined;
}
