import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

/** Debian's package. */
const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The installed Chromium. Undefined if there is none, so that these tests are skipped. */
export const CHROMIUM: string | undefined = process.env['SLUICE_CHROMIUM'] ?? PATHS.find((path) => existsSync(path));

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
    viewport: { width: options.width, height: options.width < 600 ? 844 : 900 },
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

export async function signIn(page: Page, origin: string, key: string): Promise<void> {
  await page.goto(`${origin}/console/`);
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

/** Expects that axe finds no problem, and that the page does not scroll sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found).toEqual([]);
  // As text, because the tests are compiled without the types of a browser.
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(overflow).toBe(0);
}
