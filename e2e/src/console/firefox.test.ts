import path from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { KEY, type Stack, startStack } from '../stack.ts';
import { WIDTHS } from './browser.ts';
import { ADMIN_KEY, prepareConsole } from './console-stack.ts';
import {
  expectAccessibleInFirefox,
  FIREFOX,
  launchFirefox,
  openFirefoxPage,
  signInFirefox,
  waitFor,
  waitForTitle,
} from './firefox.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 });

/** The screens of both roles, with a text that each shows when its data is loaded. */
const SHARED = [
  { link: '', title: 'Overview', text: 'First event, p50' },
  { link: 'requests', title: 'Requests', text: 'sandbox-chat' },
  { link: 'tasks', title: 'Tasks', text: 'sandbox-video' },
  { link: 'gallery', title: 'Gallery', text: 'A paper boat' },
  { link: 'usage', title: 'Usage', text: 'sandbox-chat' },
  { link: 'webhooks', title: 'Webhooks', text: 'No deliveries' },
  { link: 'playground', title: 'Playground', text: 'Enter a message' },
  { link: 'setup', title: 'Setup', text: 'Claude Code' },
];
const SCREENS = {
  admin: [
    ...SHARED,
    { link: 'keys', title: 'Keys', text: 'client' },
    { link: 'upstreams', title: 'Upstreams', text: 'sandbox-chat' },
    { link: 'models', title: 'Models', text: 'sandbox-chat' },
    { link: 'configuration', title: 'Configuration', text: 'Running configuration' },
    { link: 'audit', title: 'Audit log', text: 'consoleSignIn' },
  ],
  holder: [...SHARED, { link: 'keys', title: 'client', text: 'sandbox-chat' }],
};

const shots = process.env['SLUICE_SCREENSHOTS'];
const title = `the console in Firefox${FIREFOX ? '' : ' [skipped: Firefox is not installed]'}`;
const shows = (page: Page, text: string) =>
  waitFor(page, `document.querySelector('main').textContent.includes(${JSON.stringify(text)})`);

describe.skipIf(FIREFOX === undefined)(title, () => {
  let stack: Stack;
  let browser: Browser;
  beforeAll(async () => {
    await prepareConsole();
    [stack, browser] = await Promise.all([
      startStack({ apiEnv: { SLUICE_ADMIN_KEY: ADMIN_KEY }, config: { sandbox: { enabled: true } } }),
      launchFirefox(),
    ]);
    await send('/v1/chat/completions', { model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello' }] });
    await send('/v1/videos', { model: 'sandbox-video', prompt: 'A paper boat' });
    await vi.waitUntil(async () => (await entries()).includes('sandbox-video'), { timeout: 60_000, interval: 200 });
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  async function send(at: string, body?: object): Promise<string> {
    const headers = { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }) };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(stack.origin + at, init)).text();
  }
  const entries = (): Promise<string> => send('/v1/requests?type=task');

  it.each([
    { role: 'admin', key: ADMIN_KEY, theme: 'Light', name: 'desktop' },
    { role: 'admin', key: ADMIN_KEY, theme: 'Dark', name: 'phone' },
    { role: 'holder', key: KEY, theme: 'Dark', name: 'desktop' },
    { role: 'holder', key: KEY, theme: 'Light', name: 'phone' },
  ] as const)('shows every screen to $role in $theme on a $name', async ({ role, key, theme, name }) => {
    const { page, problems } = await openFirefoxPage(browser);
    await page.setViewport({ width: WIDTHS[name], height: 900 });
    await signInFirefox(page, stack.origin, key);
    await page.locator('button[aria-label=Theme]').click();
    await page.locator(`[role=menuitem] ::-p-text(${theme})`).click();
    await waitFor(page, `document.documentElement.dataset.theme === '${theme.toLowerCase()}'`);
    for (const { link, title: heading, text } of SCREENS[role]) {
      await page.locator(`nav[aria-label=Screens] ul a[href$="/console/${link}"]`).click();
      await waitForTitle(page, heading);
      await shows(page, text);
      const file = path.join(shots ?? '', `firefox-${link || 'overview'}-${role}-${theme}-${name}.png`);
      if (shots !== undefined) await page.screenshot({ path: file });
      await expectAccessibleInFirefox(page);
    }
    // The first look for a session finds none.
    expect(problems.filter((text) => !text.includes('401'))).toEqual([]);
    await page.browserContext().close();
  });

  it('streams a chat, follows new requests, and is used with the keyboard', async () => {
    const { page, problems } = await openFirefoxPage(browser);
    await page.setViewport({ width: WIDTHS.desktop, height: 900 });
    await signInFirefox(page, stack.origin, KEY);
    await page.keyboard.type('gp');
    await waitForTitle(page, 'Playground');
    await page.locator('textarea[placeholder^=Message]').fill('Which kite flies?');
    await page.keyboard.press('Enter');
    await waitFor(page, String.raw`/\d+ → \d+ tokens/.test(document.querySelector('main').textContent)`);
    await page.locator('main').click();
    await page.keyboard.type('gr');
    await waitForTitle(page, 'Requests');
    await waitFor(page, `document.querySelector('[title="New requests appear at once"]') !== null`);
    const rows = `document.querySelectorAll('tbody a').length`;
    const before = Number(await page.evaluate(rows));
    await send('/v1/chat/completions', { model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello' }] });
    await waitFor(page, `${rows} > ${before}`);
    await page.keyboard.type('?');
    await waitFor(page, `document.querySelector('dialog[open]') !== null`);
    await page.keyboard.press('Escape');
    await waitFor(page, `document.querySelector('dialog[open]') === null`);
    await page.keyboard.type('/');
    await page.keyboard.type('req_unknown');
    await page.keyboard.press('Enter');
    await shows(page, 'The ledger has no such request');
    expect(problems.filter((text) => !/40[14]/.test(text))).toEqual([]);
    await page.browserContext().close();
  });
});
