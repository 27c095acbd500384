import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { KEY, OTHER_KEY, type Stack } from '../stack.ts';
import {
  CHROMIUM,
  expectAccessible,
  expectAccessibleLooks,
  launchBrowser,
  openPage,
  signIn,
  takeScreenshot,
  WIDTHS,
} from './browser.ts';
import { ADMIN_KEY, MARKUP, startConsoleStack, startPrefixProxy, waitForLedger } from './console-stack.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

/** Maximum compressed bytes until the overview is complete. */
const FIRST_LOAD_BYTES = 200_000;

describe.skipIf(CHROMIUM === undefined)(`the console${CHROMIUM ? '' : ' [skipped: Chromium is not installed]'}`, () => {
  let stack: Stack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startConsoleStack(), launchBrowser()]);
    await waitForLedger(stack.origin);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  it.each(Object.entries({ admin: ADMIN_KEY, holder: KEY }))('is accessible to the %s', async (role, key) => {
    const { page, context, problems } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    const check = (screen: string): Promise<void> => expectAccessibleLooks(page, `${screen}-${role}`);
    await page.goto(`${stack.origin}/console/`);
    await page.getByLabel('Key', { exact: true }).waitFor();
    await check('sign-in');
    await signIn(page, stack.origin, key);
    await page.getByRole('link', { name: /^Requests \d+/ }).waitFor();
    await check('overview');
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await page.getByRole('cell', { name: 'sandbox-chat' }).first().waitFor();
    await check('requests');
    await page.goto(`${stack.origin}/console/requests?status=ok&model=sandbox-chat`);
    await page.getByRole('row').nth(1).getByRole('link').click();
    await page.getByRole('region', { name: 'Price', exact: true }).waitFor();
    await check('request');
    await page.goto(`${stack.origin}/console/audit`);
    if (role === 'admin') await page.getByRole('link', { name: 'consoleSignIn', exact: true }).first().waitFor();
    else await page.getByText('This screen is for operators').waitFor();
    await check('audit');
    expect(problems).toEqual([]);
    await context.close();
  });

  it('loads less than 200 kB, and only from its own host', async () => {
    const { page, context } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    const hosts = new Set<string>();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    const paths = new Map<string, string>();
    const sizes: Record<string, number> = {};
    session.on('Network.requestWillBeSent', ({ requestId, request }) => paths.set(requestId, request.url));
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      sizes[new URL(paths.get(requestId) ?? stack.origin).pathname] = encodedDataLength;
    });
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    await signIn(page, stack.origin, KEY);
    await page.waitForLoadState('networkidle');
    expect([...hosts]).toEqual([stack.origin]);
    const bytes = Object.values(sizes).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes, JSON.stringify(sizes)).toBeLessThan(FIRST_LOAD_BYTES);
    await context.close();
  });

  it('keeps no key in the address or in the browser, and keeps the session across reloads', async () => {
    const { page, context } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    await signIn(page, stack.origin, KEY);
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const stored = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie');
    expect(String(stored) + page.url() + JSON.stringify(await context.cookies())).not.toContain(KEY);
    await page.getByRole('button', { name: 'Signed in as client' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Key', { exact: true }).waitFor();
    await context.close();
  });

  it('is used with the keyboard', async () => {
    const { page, context, problems } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    await signIn(page, stack.origin, ADMIN_KEY);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('req_unknown');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'The ledger has no such request' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/requests/req_unknown');
    await page.goto(`${stack.origin}/console/requests?id=req_unknown`);
    await page.getByText('No request matches these filters').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('cell', { name: 'sandbox-chat' }).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(problems).toEqual([expect.stringContaining('404')]);
    await context.close();
  });

  it.each([
    ['admin', ADMIN_KEY],
    ['holder', KEY],
  ])('has one main heading on each page for the %s, also if there is no such object', async (_role, key) => {
    const { page, context, problems } = await openPage(browser, { width: WIDTHS.phone, theme: 'dark' });
    await signIn(page, stack.origin, key);
    for (const at of [
      'nowhere',
      'requests/x',
      'tasks/video_x',
      'keys/x',
      'upstreams/x',
      'models?show=x',
      'audit',
      'files',
    ]) {
      await page.goto(`${stack.origin}/console/${at}`);
      await page
        .getByRole('alert')
        .or(page.getByRole('heading', { level: 2 }))
        .or(page.getByRole('cell'))
        .first()
        .waitFor();
      expect(await page.getByRole('heading', { level: 1 }).count(), at).toBe(1);
      await expectAccessible(page);
    }
    expect(problems.filter((text) => !text.includes('404'))).toEqual([]);
    await context.close();
  });

  it('shows the open screen in the bar of a phone', async () => {
    const { page, context, problems } = await openPage(browser, { width: WIDTHS.phone, theme: 'light' });
    await signIn(page, stack.origin, ADMIN_KEY);
    await page.goto(`${stack.origin}/console/setup`);
    const link = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Setup' });
    await expect.poll(async () => (await link.boundingBox())?.x).toBeLessThan(WIDTHS.phone - 40);
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    const overview = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Overview' });
    await expect.poll(async () => (await overview.boundingBox())?.x).toBeGreaterThanOrEqual(0);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('says why a screen cannot be loaded, and loads it once Sluice responds', async () => {
    const { page, context } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    await signIn(page, stack.origin, ADMIN_KEY);
    await page.route('**/assets/usage-route-*.js', (route) => route.abort());
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    const failure = page.getByRole('alert').filter({ hasText: 'Sluice does not respond, or it was updated.' });
    await failure.waitFor();
    await takeScreenshot(page, 'screen-not-loaded');
    await page.unrouteAll();
    await failure.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await failure.waitFor({ state: 'hidden' });
    await context.close();
  });

  it('shows markup in the address as text', async () => {
    const { page, context, problems } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    await signIn(page, stack.origin, ADMIN_KEY);
    await page.goto(`${stack.origin}/console/requests?model=${encodeURIComponent(MARKUP)}`);
    await page.getByText('No request matches these filters').waitFor();
    expect(await page.getByLabel('Model').inputValue()).toBe(MARKUP);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('filters the audit log by link, field, and page, and opens the changed objects', async () => {
    const { page, context, problems } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    const admin = (method: string, at: string, body?: object) =>
      fetch(`${stack.origin}/admin/v1/${at}`, {
        method,
        headers: { authorization: `Bearer ${ADMIN_KEY}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
    await admin('POST', 'keys', { name: 'audited' });
    await admin('PATCH', 'keys/audited', { strict: true });
    await admin('DELETE', `keys/${encodeURIComponent(MARKUP)}`);
    for (let sent = 0; sent < 55; sent += 1) await admin('DELETE', `webhooks/unknown-${sent}`);
    await signIn(page, stack.origin, ADMIN_KEY);
    await page.getByRole('link', { name: 'Audit log', exact: true }).click();
    const table = page.getByRole('region', { name: 'Changes, newest first' });
    await table.getByRole('link', { name: 'unknown-54' }).waitFor();
    for (const [name, width] of Object.entries(WIDTHS)) {
      await page.setViewportSize({ width, height: 900 });
      await takeScreenshot(page, `audit-full-${name}`);
      await expectAccessible(page);
    }
    await page.getByRole('button', { name: 'Older' }).click();
    await table.getByRole('link', { name: 'adminCreateKey' }).waitFor();
    expect(await table.getByRole('link', { name: 'unknown-54' }).count()).toBe(0);
    await table.getByRole('link', { name: MARKUP }).waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    await table.getByRole('link', { name: 'adminCreateKey' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?operation=adminCreateKey');
    await expect.poll(() => table.getByRole('row').count()).toBe(2);
    await page.getByLabel('Actor').fill('nobody');
    await page.getByLabel('Actor').press('Enter');
    await page.getByText('No change matches these filters').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Target').fill('audited');
    await page.getByLabel('Target').press('Enter');
    await expect.poll(() => table.getByRole('row').count()).toBe(2);
    await page.reload();
    await table.getByRole('link', { name: 'audited' }).click();
    await page.getByRole('heading', { name: 'audited' }).waitFor();
    await page.goto(`${stack.origin}/console/audit?start=1&end=2`);
    await page.getByText('No change matches these filters').waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  it('ends another session after a warning', async () => {
    const [admin, holder] = [
      await openPage(browser, { width: WIDTHS.phone, theme: 'light' }),
      await openPage(browser, { width: WIDTHS.desktop, theme: 'light' }),
    ];
    await signIn(holder.page, stack.origin, OTHER_KEY);
    await signIn(admin.page, stack.origin, ADMIN_KEY);
    await admin.page.getByRole('button', { name: 'Signed in as admin' }).click();
    await admin.page.getByRole('menuitem', { name: 'Sessions' }).click();
    await admin.page.getByRole('row', { name: 'other holder' }).getByRole('button', { name: 'End' }).click();
    await takeScreenshot(admin.page, 'end-session');
    await expectAccessible(admin.page);
    await admin.page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await admin.page.getByText('Session ended', { exact: true }).waitFor();
    await holder.page.reload();
    await holder.page.getByLabel('Key', { exact: true }).waitFor();
    expect([...admin.problems, ...holder.problems]).toEqual([]);
    await Promise.all([admin.context.close(), holder.context.close()]);
  });

  it('works below the prefix of a proxy, also after a reload of a deep path', async () => {
    const proxy = await startPrefixProxy(stack.origin);
    try {
      const { page, context, problems } = await openPage(browser, { width: WIDTHS.desktop, theme: 'dark' });
      await signIn(page, proxy.url, KEY);
      await page.getByRole('link', { name: 'Requests', exact: true }).click();
      await page.getByRole('row').nth(1).getByRole('link').click();
      await page.getByRole('region', { name: 'Ids' }).waitFor();
      expect(page.url()).toMatch(new RegExp(`^${proxy.url}/console/requests/.`));
      await page.reload();
      await page.getByRole('region', { name: 'Ids' }).waitFor();
      expect(problems).toEqual([]);
      await context.close();
    } finally {
      proxy.server.closeAllConnections();
      proxy.server.close();
    }
  });
});
