import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, vi } from 'vitest';
import { launchBrowser, openPage, openSession, type Visitor, WIDTHS } from './browser.ts';
import { ADMIN_KEY } from './console-stack.ts';
import { startUpstreamsStack, type UpstreamsStack } from './upstreams-stack.ts';

export const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

/** Starts a gateway with upstreams in several states, and a browser, for the surrounding `describe`. */
export function useUpstreamsScreens() {
  let stack: UpstreamsStack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startUpstreamsStack(), launchBrowser()]);
    await vi.waitUntil(async () => (await listedRequests()) >= 30, { timeout: 60_000, interval: 200 });
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  async function listedRequests(): Promise<number> {
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const response = await fetch(`${stack.baseUrl}/requests?limit=100`, { headers });
    return ((await response.json()) as { data: unknown[] }).data.length; // The cast is safe because this is the documented form.
  }

  const open = async (page: Page, at: string): Promise<void> => {
    await page.goto(`${stack.origin}/console${at}`);
  };

  /** Opens a page with a session of this role of the admin key. */
  async function openAs(role: 'admin' | 'operator' | 'viewer', width: number = WIDTHS.desktop): Promise<Visitor> {
    const visitor = await openPage(browser, { width, theme: 'light' });
    await openSession(visitor.page, stack.origin, ADMIN_KEY, role);
    return visitor;
  }

  return { stack: () => stack, browser: () => browser, open, openAs };
}
