import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { KEY, OTHER_KEY, type Stack } from '../stack.ts';
import { CHROMIUM, expectAccessible, launchBrowser, openPage, signIn, THEMES, WIDTHS } from './browser.ts';
import { ADMIN_KEY, MARKUP, startConsoleStack, startPrefixProxy, waitForLedger } from './console-stack.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

/** Maximum compressed bytes until the overview is complete. */
const FIRST_LOAD_BYTES = 200_000;

describe.skipIf(CHROMIUM === undefined)(`the console${CHROMIUM ? '' : ' [skipped: Chromium is not installed]'}`, () => {
  let stack: Stack;
  let browser: Browser;
  let shots: string;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startConsoleStack(), launchBrowser()]);
    await waitForLedger(stack.origin);
    shots = process.env['SLUICE_SCREENSHOTS'] ?? (await mkdtemp(path.join(tmpdir(), 'sluice-console-')));
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  const looks = THEMES.flatMap((theme) =>
    Object.entries(WIDTHS).flatMap(([name, width]) =>
      Object.entries({ admin: ADMIN_KEY, holder: KEY }).map(([role, key]) => ({ theme, name, width, role, key })),
    ),
  );

  it.each(looks)('is accessible to $role in $theme on a $name', async ({ theme, name, width, role, key }) => {
    const { page, context, problems } = await openPage(browser, { width, theme });
    const check = async (screen: string): Promise<void> => {
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: path.join(shots, `${screen}-${role}-${theme}-${name}.png`), fullPage: true });
      await expectAccessible(page);
    };
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
    await page.getByText('No request matches these filters').waitFor();
    expect(new URL(page.url()).searchParams.get('id')).toBe('req_unknown');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('cell', { name: 'sandbox-chat' }).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(problems).toEqual([]);
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
    await admin.page.screenshot({ path: path.join(shots, 'end-session.png') });
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
