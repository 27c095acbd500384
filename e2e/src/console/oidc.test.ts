import { freePort, OIDC_CLIENT, type OidcServer, startOidcServer } from '@sluice/testkit';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Stack, startStack } from '../stack.ts';
import { CHROMIUM, expectAccessible, launchBrowser, openPage, takeScreenshot, WIDTHS } from './browser.ts';
import { prepareConsole, startPrefixProxy } from './console-stack.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const USERS = {
  ada: { email: 'ada@corp.test', groups: ['platform'] },
  eve: { email: 'eve@corp.test', groups: ['guests'] },
};

describe.skipIf(CHROMIUM === undefined)(`OIDC${CHROMIUM ? '' : ' [skipped: Chromium is not installed]'}`, () => {
  let stack: Stack;
  let browser: Browser;
  let provider: OidcServer;
  let proxy: Awaited<ReturnType<typeof startPrefixProxy>>;
  beforeAll(async () => {
    await prepareConsole();
    const port = await freePort();
    proxy = await startPrefixProxy(`http://127.0.0.1:${port}`);
    provider = await startOidcServer({ redirectUris: [`${proxy.url}/console/api/oidc/callback`], users: USERS });
    const client = { client_id: OIDC_CLIENT.id, client_secret: OIDC_CLIENT.secret };
    const scopes = ['openid', 'email', 'groups'];
    const oidc = { name: 'Corp', issuer: provider.issuer, ...client, scopes, roles: { admin: ['platform'] } };
    const server = { host: '127.0.0.1', port, public_url: proxy.url };
    [stack, browser] = await Promise.all([
      startStack({ workers: 0, config: { server, console: { oidc } } }),
      launchBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
    proxy?.server.close();
    await provider?.close();
  });

  async function signInAs(user: string, opened = '') {
    const visitor = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    const { page } = visitor;
    await page.goto(`${proxy.url}/console/${opened}`);
    await page.getByRole('link', { name: 'Sign in with Corp' }).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, `sign-in-oidc-${user}`);
    await page.getByRole('link', { name: 'Sign in with Corp' }).click();
    await page.getByLabel('User').fill(user);
    await page.getByRole('button', { name: 'Continue' }).click();
    return visitor;
  }

  it('signs in behind a prefix, and keeps no token in the browser', async () => {
    const { page, context, problems } = await signInAs('ada');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).toBe(`${proxy.url}/console/`);
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    expect(stored).not.toMatch(/eyJ|sluice_s|code=/);
    // The provider is on the same host, so its cookies are listed, too.
    const all = await context.cookies(proxy.url);
    const cookies = all.flatMap(({ name, httpOnly, sameSite }) =>
      name.startsWith('sluice_') ? [[name, httpOnly, sameSite]] : [],
    );
    expect(cookies).toEqual([['sluice_session', true, 'Strict']]);
    // The favicons of the pages that have none.
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
    await context.close();
  });

  it('ends at the page that the user opened', async () => {
    const { page, context } = await signInAs('ada', 'requests?status=500');
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    expect(page.url()).toBe(`${proxy.url}/console/requests?status=500`);
    await page.goto(`${proxy.url}/console/sessions`);
    await page.getByText('this browser').waitFor();
    await page.getByRole('cell', { name: 'ada@corp.test' }).first().waitFor();
    await expectAccessible(page);
    await context.close();
  });

  it('explains that a user has no role', async () => {
    const { page, context } = await signInAs('eve');
    await page.getByRole('alert').getByText('Your account has no role in Sluice.').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'sign-in-oidc-no-role');
    await context.close();
  });
});
