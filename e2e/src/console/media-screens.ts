import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { launchBrowser, openPage, openSession, WIDTHS } from './browser.ts';
import { type MediaStack, startMediaStack } from './media-stack.ts';

const LOOK = { width: WIDTHS.desktop, theme: 'light' } as const;

export const shows = (page: Page, text: string) => page.getByText(text).first().waitFor();

/** Starts a gateway with tasks in several states, and a browser, for the surrounding `describe`. */
export function useMediaScreens() {
  let stack: MediaStack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startMediaStack(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  async function visit(
    key: string,
    run: (page: Page, problems: string[]) => Promise<void>,
    role?: 'admin' | 'operator' | 'viewer',
  ): Promise<void> {
    const { page, context, problems } = await openPage(browser, LOOK);
    page.setDefaultTimeout(15_000);
    try {
      await openSession(page, stack.origin, key, role);
      await run(page, problems);
      // Chromium reports each refused request, and one test sends an invalid URL.
      expect(problems.filter((problem) => !problem.includes('400 (Bad Request)'))).toEqual([]);
    } finally {
      await context.close();
    }
  }

  const open = (page: Page, at: string) => page.goto(`${stack.origin}/console/${at}`);

  return { stack: () => stack, visit, open };
}
