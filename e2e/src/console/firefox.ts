import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { expect } from 'vitest';

/** Debian's package, and others. */
const PATHS = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];
const TIMEOUT_MS = 30_000;

/** The installed Firefox. Undefined if there is none, so that these tests are skipped. */
export const FIREFOX: string | undefined = process.env['SLUICE_FIREFOX'] ?? PATHS.find((path) => existsSync(path));

/**
 * Starts Firefox, which Puppeteer drives with WebDriver BiDi. Playwright cannot: it needs a patched Firefox, or commands
 * of BiDi that Debian's Firefox 153 does not have.
 */
export function launchFirefox(): Promise<Browser> {
  if (FIREFOX === undefined) throw new Error('No Firefox is installed.');
  return launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    timeout: TIMEOUT_MS * 4,
    protocolTimeout: TIMEOUT_MS * 4,
    extraPrefsFirefox: { 'ui.prefersReducedMotion': 1 },
  });
}

/** A page in a session of its own, with the errors that it reports. */
export async function openFirefoxPage(browser: Browser): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return { page, problems };
}

export async function signInFirefox(page: Page, origin: string, key: string): Promise<void> {
  await page.goto(`${origin}/console/`);
  await page.locator('form input[type=password]').fill(key);
  await page.locator('form button[type=submit]').click();
  await waitForTitle(page, 'Overview');
}

/** Waits until the main heading of the page has this text. */
export async function waitForTitle(page: Page, title: string): Promise<void> {
  await waitFor(page, `document.querySelector('h1')?.textContent.startsWith(${JSON.stringify(title)})`);
}

/** Waits until an expression is true in the page. It is text, because the tests are compiled without a browser's types. */
export async function waitFor(page: Page, expression: string): Promise<void> {
  await page.waitForFunction(expression).catch((error: unknown) => {
    throw new Error(`${expression} does not become true`, { cause: error });
  });
}

/** Expects that axe finds no problem, and that the page does not scroll sideways. */
export async function expectAccessibleInFirefox(page: Page): Promise<void> {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(axe);
  // The cast is safe because this is the documented form of the result.
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(overflow)).toBe(0);
}
