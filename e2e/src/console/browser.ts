import { existsSync } from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

/** Debian's package. */
const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The installed Chromium. Undefined if there is none, so that these tests are skipped. */
export const CHROMIUM: string | undefined = process.env['SLUICE_CHROMIUM'] ?? PATHS.find((file) => existsSync(file));

export const WIDTHS = { phone: 390, desktop: 1_440 } as const;
export const THEMES = ['light', 'dark'] as const;

export function launchBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('No Chromium is installed.');
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** Errors of the page, with violations of its content security policy. */
  problems: string[];
}

export async function openPage(
  browser: Browser,
  options: { width: number; theme: (typeof THEMES)[number] },
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: sizeOf(options.width),
    colorScheme: options.theme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // The first look for a session finds none.
    if (message.type() === 'error' && !message.text().includes('401')) problems.push(message.text());
  });
  return { page, context, problems };
}

function sizeOf(width: number): { width: number; height: number } {
  return { width, height: width < 600 ? 844 : 900 };
}

/** Signs in with the form, and waits for the overview. */
export async function signIn(page: Page, origin: string, key: string): Promise<void> {
  await page.goto(`${origin}/console/`);
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

/** Signs in without the form, for tests of other screens. The page stays where it is. */
export async function openSession(
  page: Page,
  origin: string,
  key: string,
  role?: 'admin' | 'operator' | 'viewer',
): Promise<void> {
  const data = { key, ...(role !== undefined && { role }) };
  const response = await page.context().request.post(`${origin}/console/api/session`, { headers: { origin }, data });
  expect(response.status()).toBe(201);
}

/** Expects that axe finds no problem in the loaded page, and that the page does not scroll sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.animate-pulse').count()).toBe(0);
  // The other mode opens a second page for each result. It is for frames, and the console has none.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found).toEqual([]);
  // As text, because the tests are compiled without the types of a browser.
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(overflow).toBe(0);
}

/**
 * Expects that the open screen is accessible in both themes and at both widths. Loads it only once, because this takes
 * most of the time. @param name of the screenshots
 */
export async function expectAccessibleLooks(page: Page, name: string, isDialog = false): Promise<void> {
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    for (const [device, width] of Object.entries(WIDTHS).toReversed()) {
      await page.setViewportSize(sizeOf(width));
      await takeScreenshot(page, `${name}-${theme}-${device}`, { fullPage: !isDialog });
      await expectAccessible(page);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(sizeOf(WIDTHS.desktop));
}

/** Saves a screenshot for review, if `SLUICE_SCREENSHOTS` names a folder. */
export async function takeScreenshot(page: Page, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  const folder = process.env['SLUICE_SCREENSHOTS'];
  if (folder === undefined) return;
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: path.join(folder, `${name}.png`), ...options });
}
