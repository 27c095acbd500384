import { OIDC_CLIENT, type OidcServer, type OidcServerOptions, startOidcServer } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { type ApiRig, apiRig } from '../../test/api-rig.ts';
import { type OidcBrowser, oidcBrowser } from '../../test/security/oidc-browser.ts';

/** Behind a proxy that adds a prefix. */
const PUBLIC_URL = 'https://sluice.test/team/gateway';
const CALLBACK = `${PUBLIC_URL}/console/api/oidc/callback`;
const CONSOLE = `${PUBLIC_URL}/console/`;
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

async function startProvider(options: Partial<OidcServerOptions> = {}): Promise<OidcServer> {
  return startOidcServer({ redirectUris: [CALLBACK], users: USERS, ...options });
}

function configOf(issuer: string, more: object = {}) {
  const client = { client_id: OIDC_CLIENT.id, client_secret: OIDC_CLIENT.secret };
  const oidc = { name: 'Corp', issuer, ...client, scopes: ['openid', 'email', 'groups'], roles: ROLES, ...more };
  return { server: { public_url: PUBLIC_URL }, console: { session_ms: 3_600_000, oidc } };
}

/** An API without an admin key, with its own provider. */
async function ownRig(options: Partial<OidcServerOptions> = {}, more: object = {}) {
  const provider = await startProvider(options);
  onTestFinished(() => provider.close());
  const rig = await apiRig({ config: configOf(provider.issuer, more), redisTimeoutMs: 10_000 });
  onTestFinished(() => rig.close());
  return { provider, rig, browser: oidcBrowser(rig, PUBLIC_URL) };
}

function locationOf(response: Response): string {
  return new URL(response.headers.get('location') ?? '', CALLBACK).href;
}

let provider: OidcServer;
let rig: AdminRig;
beforeAll(async () => {
  provider = await startProvider();
  const { server, console } = configOf(provider.issuer);
  const admin_key = 'an admin key of the rig';
  // These tests send more sign-ins in a minute than an address may fail.
  rig = await adminRig({ config: { server: { ...server, admin_key }, console }, redisTimeoutMs: 10_000 });
});
afterAll(async () => {
  await rig.close();
  await provider.close();
});

async function sessionOf(browser: OidcBrowser): Promise<Record<string, unknown>> {
  const response = await browser.call('/console/api/session');
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>; // The response is a session.
}

/** The error of the sign-in screen to which a callback redirects. Undefined after a success. */
function problemOf(response: Response): string | undefined {
  expect(response.status).toBe(302);
  const { origin, pathname, searchParams } = new URL(locationOf(response));
  expect(origin + pathname).toBe(CONSOLE);
  return searchParams.get('sign_in') ?? undefined;
}

describe('a sign-in with OIDC', () => {
  it.each([
    ['ada', 'admin', 'ada@corp.test'],
    ['otto', 'operator', 'otto@corp.test'],
    ['vera', 'viewer', 'vera@corp.test'],
    ['victor', 'viewer', 'victor'],
  ])('opens a session of %s with the role %s', async (user, role, name) => {
    const browser = oidcBrowser(rig, PUBLIC_URL);
    const response = await browser.signIn(user);
    expect(problemOf(response)).toBeUndefined();
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sluice_sign_in=; Path=\/; Max-Age=0;/),
      expect.stringMatching(/^sluice_session=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Strict$/),
    ]);
    const session = await sessionOf(browser);
    expect(session).toMatchObject({ role, name, features: { admin: true } });
    expect(Number(session['expires_at']) - Number(session['created_at'])).toBe(3_600);
    expect((await browser.call('/admin/v1/keys')).status).toBe(200);
    const created = await browser.call('/admin/v1/keys', { method: 'POST', body: { name: `by-${user}` } });
    expect(created.status).toBe(role === 'admin' ? 201 : 403);
  });

  it.each([
    ['requests/req_1', 'requests/req_1'],
    ['requests?model=a%26b&status=500', 'requests?model=a%26b&status=500'],
    ['keys/../tasks', 'tasks'],
    ['', ''],
    ['https://evil.test/console/', ''],
    ['//evil.test/console/', ''],
    [String.raw`\\evil.test`, ''],
    ['/evil.test', ''],
    ['javascript:alert(1)', ''],
    ['../v1/models', ''],
    ['%2e%2e/v1/models', ''],
    ['.//evil.test', ''],
    [String.raw`.\\evil.test`, ''],
    ['api/oidc', ''],
    ['api?x', ''],
    ['tasks\r\nset-cookie: a=b', ''],
    ['requests?id=' + 'x'.repeat(1_100), ''],
  ])('ends at the opened page of the console, and never elsewhere: %j', async (to, page) => {
    const browser = oidcBrowser(rig, PUBLIC_URL);
    const response = await browser.finish(await browser.signInAt(await browser.begin(to), 'ada'));
    expect(locationOf(response)).toBe(CONSOLE + page);
    expect((await browser.call('/console/api/session')).status).toBe(200);
  });

  it('sends PKCE, a state, and a nonce that differ between sign-ins', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => oidcBrowser(rig, PUBLIC_URL).begin()));
    expect(Object.fromEntries(one?.searchParams ?? [])).toEqual({
      client_id: OIDC_CLIENT.id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid email groups',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one?.searchParams.get(name)).not.toBe(other?.searchParams.get(name));
    }
  });

  it.each(['eve', 'nadine', 'odd'])('refuses %s, whose groups have no role', async (user) => {
    const browser = oidcBrowser(rig, PUBLIC_URL);
    expect(problemOf(await browser.signIn(user))).toBe('no_role');
    expect(browser.cookie('sluice_session')).toBeUndefined();
    const actor = { type: 'oidc', name: `${user}@corp.test`, subject: user };
    await expect
      .poll(async () => (await rig.admin('GET', `audit?actor=${user}`)).body['data'])
      .toEqual([expect.objectContaining({ actor, operation: 'consoleSignInWithOidc', status: 403 })]);
  });

  it('reports that the provider refused', async () => {
    expect(problemOf(await oidcBrowser(rig, PUBLIC_URL).signIn('nobody'))).toBe('denied');
  });

  it('reads the groups of the ID token, and another claim, if they are configured', async () => {
    const { browser, provider: own } = await ownRig({ withClaims: true });
    expect(problemOf(await browser.signIn('ada'))).toBeUndefined();
    expect(own.requests).not.toContain('/me');
    const other = await ownRig({}, { groups_claim: 'sub', roles: { admin: ['otto'] } });
    expect(problemOf(await other.browser.signIn('otto'))).toBeUndefined();
    expect(problemOf(await oidcBrowser(other.rig, PUBLIC_URL).signIn('ada'))).toBe('no_role');
  });

  it('authenticates in the way that the provider supports, and needs no admin key', async () => {
    const { browser } = await ownRig({ clientAuth: 'client_secret_post' });
    expect((await browser.call('/admin/v1/keys')).status).toBe(401);
    expect(problemOf(await browser.signIn('ada'))).toBeUndefined();
    expect((await browser.call('/admin/v1/keys')).status).toBe(200);
  });

  it('is offered by the sign-in screen only if it is configured', async () => {
    expect(await (await rig.call('/console/api/sign-in')).json()).toEqual({
      object: 'console.sign_in',
      oidc: { name: 'Corp' },
    });
    const plain = await adminRig();
    onTestFinished(() => plain.close());
    expect(await (await plain.call('/console/api/sign-in')).json()).toEqual({ object: 'console.sign_in', oidc: null });
    // 503 if the console is not built.
    for (const at of ['', '/callback?code=x']) {
      expect([404, 503]).toContain((await plain.call(`/console/api/oidc${at}`)).status);
    }
  });
});

describe('GET /console/api/oidc/callback', () => {
  it('refuses another state, and one without the cookie of the sign-in', async () => {
    const browser = oidcBrowser(rig, PUBLIC_URL);
    const callback = await browser.signInAt(await browser.begin(), 'ada');
    const victim = oidcBrowser(rig, PUBLIC_URL);
    expect(problemOf(await victim.finish(callback))).toBe('expired');
    await victim.begin();
    expect(problemOf(await victim.finish(callback))).toBe('expired');
    callback.searchParams.set('state', 'x'.repeat(43));
    expect(problemOf(await browser.finish(callback))).toBe('expired');
    expect(victim.cookie('sluice_session') ?? browser.cookie('sluice_session')).toBeUndefined();
  });

  it('refuses an ID token with another nonce', async () => {
    const browser = oidcBrowser(rig, PUBLIC_URL);
    const at = await browser.begin();
    at.searchParams.set('nonce', 'x'.repeat(43));
    expect(problemOf(await browser.finish(await browser.signInAt(at, 'ada')))).toBe('failed');
    expect(browser.cookie('sluice_session')).toBeUndefined();
    expect(rig.logs()).toContain('"reason":"OAUTH_JWT_CLAIM_COMPARISON_FAILED"');
  });

  it('refuses a code that was used, or that belongs to another sign-in', async () => {
    const browser = oidcBrowser(rig, PUBLIC_URL);
    const url = await browser.begin();
    const callback = await browser.signInAt(url, 'ada');
    const cookie = `sluice_sign_in=${browser.cookie('sluice_sign_in')}`;
    expect(problemOf(await browser.finish(callback))).toBeUndefined();
    const replay = await fetch(callback.href.replace(PUBLIC_URL, rig.origin), {
      headers: { cookie },
      redirect: 'manual',
    });
    expect(problemOf(replay)).toBe('failed');
    expect(replay.headers.getSetCookie().join()).not.toContain('sluice_session=');

    const mallory = oidcBrowser(rig, PUBLIC_URL);
    const stolen = await mallory.signInAt(await mallory.begin(), 'ada');
    const injected = await browser.signInAt(await browser.begin(), 'vera');
    injected.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    expect(problemOf(await browser.finish(injected))).toBe('failed');
    expect(rig.logs()).toContain('"provider_error":"invalid_grant"');
  });

  it.each<[string, Partial<OidcServerOptions>, string]>([
    ['that has expired', { idToken: { exp: 1_700_000_000 } }, 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'],
    ['of another issuer', { idToken: { iss: 'https://evil.test' } }, 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'],
    ['for another client', { idToken: { aud: 'another' } }, 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'],
    ['with a forged signature', { isForged: true }, 'OAUTH_INVALID_RESPONSE'],
  ])('refuses an ID token %s', async (_what, options, reason) => {
    const { rig: own, browser } = await ownRig(options);
    expect(problemOf(await browser.signIn('ada'))).toBe('failed');
    expect(own.logs()).toContain(`"reason":"${reason}"`);
    expect(browser.cookie('sluice_session')).toBeUndefined();
  });

  it('refuses a sign-in that took longer than ten minutes', async () => {
    const own = await startProvider();
    onTestFinished(() => own.close());
    let now = Date.now();
    const late = await apiRig({ config: configOf(own.issuer), now: () => now, redisTimeoutMs: 10_000 });
    onTestFinished(() => late.close());
    const browser = oidcBrowser(late, PUBLIC_URL);
    const callback = await browser.signInAt(await browser.begin(), 'ada');
    now += 601_000;
    expect(problemOf(await browser.finish(callback))).toBe('expired');
  });

  it.each(['', '?', '?code=', '?state=%00', `?state=${'x'.repeat(2_000)}`, '?state=a&state=b'])(
    'refuses the query %j',
    async (query) => {
      const browser = oidcBrowser(rig, PUBLIC_URL);
      await browser.begin();
      expect(problemOf(await browser.finish(new URL(CALLBACK + query)))).toBe('expired');
    },
  );

  it('limits failed attempts of an address', async () => {
    const { browser } = await ownRig();
    const problems: (string | undefined)[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      const callback = await browser.signInAt(await browser.begin(), 'ada');
      callback.searchParams.set('code', 'x');
      problems.push(problemOf(await browser.finish(callback)));
    }
    expect(problems).toEqual([...Array.from({ length: 10 }, () => 'failed'), 'rate_limited']);
  });
});

describe('a provider that is unavailable', () => {
  it('does not stop the gateway, and works again when it is back', async () => {
    const gone = await startProvider();
    await gone.close();
    const own = await apiRig({ config: configOf(gone.issuer), redisTimeoutMs: 10_000 });
    onTestFinished(() => own.close());
    expect((await own.call('/v1/models')).status).toBe(200);
    const browser = oidcBrowser(own, PUBLIC_URL);
    expect((await browser.begin()).search).toBe('?sign_in=provider_unavailable');
    expect(own.logs()).toContain('OIDC provider unavailable');
    expect(own.logs()).toContain('"reason":"ECONNREFUSED"');
    const back = await startProvider({ port: Number(new URL(gone.issuer).port) });
    onTestFinished(() => back.close());
    expect(problemOf(await browser.signIn('ada'))).toBeUndefined();
  });

  it('is reported if it disappears during a sign-in', async () => {
    const { provider: own, browser } = await ownRig();
    const callback = await browser.signInAt(await browser.begin(), 'ada');
    await own.close();
    expect(problemOf(await browser.finish(callback))).toBe('provider_unavailable');
  });
});

describe('a session of an OIDC user', () => {
  it('is in the audit log with the subject, and ends with its revocation', async () => {
    const [ada, vera] = [oidcBrowser(rig, PUBLIC_URL), oidcBrowser(rig, PUBLIC_URL)];
    await ada.signIn('ada');
    await vera.signIn('vera');
    const { id } = await sessionOf(vera);
    expect((await ada.call(`/console/api/sessions/${String(id)}`, { method: 'DELETE' })).status).toBe(200);
    expect((await vera.call('/console/api/session')).status).toBe(401);
    const { id: own } = await sessionOf(ada);
    const actor = { type: 'oidc', name: 'ada@corp.test', subject: 'ada', session_id: own };
    await expect
      .poll(async () => (await rig.admin('GET', `audit?actor=${String(own)}`)).body['data'])
      .toEqual([
        expect.objectContaining({ actor, role: 'admin', operation: 'consoleEndSession', target: id, status: 200 }),
        expect.objectContaining({ actor, role: 'admin', operation: 'consoleSignInWithOidc', status: 302 }),
      ]);
  });

  it('does not see or end the sessions of other users with the same role', async () => {
    const [vera, victor] = [oidcBrowser(rig, PUBLIC_URL), oidcBrowser(rig, PUBLIC_URL)];
    await vera.signIn('vera');
    await victor.signIn('victor');
    const { id } = await sessionOf(victor);
    const { data } = (await (await vera.call('/console/api/sessions')).json()) as { data: { name: string }[] }; // A list.
    expect(new Set(data.map(({ name }) => name))).toEqual(new Set(['vera@corp.test']));
    expect((await vera.call(`/console/api/sessions/${String(id)}`, { method: 'DELETE' })).status).toBe(404);
  });

  it('ends when the roles of the groups change', async () => {
    const own = await startProvider();
    onTestFinished(() => own.close());
    const start = (more: object) => apiRig({ config: configOf(own.issuer, more), prefix: 'oidc-roles' });
    const before = await start({});
    const browser = oidcBrowser(before, PUBLIC_URL);
    await browser.signIn('ada');
    const cookie = `sluice_session=${browser.cookie('sluice_session')}`;
    const statusAt = async ({ origin }: ApiRig) =>
      (await fetch(`${origin}/console/api/session`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })).status;
    expect(await statusAt(before)).toBe(200);
    await before.close();
    for (const [status, more] of [
      [200, { name: 'Another name' }],
      [401, { roles: { viewer: ['platform'] } }],
    ] as const) {
      const after = await start(more);
      expect(await statusAt(after)).toBe(status);
      await after.close();
    }
  });
});

it('has no token, code, or client secret in the log', async () => {
  const { rig: own, browser } = await ownRig();
  const callback = await browser.signInAt(await browser.begin(), 'ada');
  await browser.finish(callback);
  await browser.finish(callback);
  const logs = own.logs();
  expect(logs).toContain('/console/api/oidc/callback');
  for (const secret of [
    callback.searchParams.get('code'),
    callback.searchParams.get('state'),
    OIDC_CLIENT.secret,
    browser.cookie('sluice_session'),
  ]) {
    expect(secret).toMatch(/^.{20,}$/);
    expect(logs).not.toContain(secret);
  }
  expect(logs).not.toMatch(/eyJ[\w-]{10}/);
});
