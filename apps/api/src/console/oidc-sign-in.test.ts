import { OIDC_CLIENT } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { apiRig } from '../../test/api-rig.ts';
import { oidcBrowser } from '../../test/security/oidc-browser.ts';
import {
  CALLBACK,
  configOf,
  CONSOLE,
  locationOf,
  ownRig,
  problemOf,
  PUBLIC_URL,
  sessionOf,
  startOidcRig,
  startProvider,
} from '../../test/security/oidc-rig.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await startOidcRig();
});
afterAll(() => rig.close());

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
