import type { OidcServerOptions } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { AdminRig } from '../../test/admin-rig.ts';
import { apiRig } from '../../test/api-rig.ts';
import { oidcBrowser } from '../../test/security/oidc-browser.ts';
import {
  CALLBACK,
  configOf,
  ownRig,
  problemOf,
  PUBLIC_URL,
  startOidcRig,
  startProvider,
} from '../../test/security/oidc-rig.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await startOidcRig();
});
afterAll(() => rig.close());

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
