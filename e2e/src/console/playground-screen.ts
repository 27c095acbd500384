import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { KEY, type Stack, startStack } from '../stack.ts';
import { launchBrowser, openPage, openSession, WIDTHS } from './browser.ts';
import { ADMIN_KEY, prepareConsole } from './console-stack.ts';

export async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.keyboard.press('Enter');
}

/** Starts a gateway with the models of the sandbox, and a browser, for the surrounding `describe`. */
export function usePlayground() {
  let stack: Stack;
  let browser: Browser;
  beforeAll(async () => {
    await prepareConsole();
    [stack, browser] = await Promise.all([
      startStack({ apiEnv: { SLUICE_ADMIN_KEY: ADMIN_KEY }, config: { sandbox: { enabled: true } } }),
      launchBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  /** Opens a screen, and closes the page after the test. */
  async function open(at: string, key = KEY, role?: 'operator' | 'viewer') {
    const visitor = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    await openSession(visitor.page, stack.origin, key, role);
    await visitor.page.goto(`${stack.origin}/console/${at}`);
    return {
      ...visitor,
      async [Symbol.asyncDispose]() {
        expect(visitor.problems).toEqual([]);
        await visitor.context.close();
      },
    };
  }

  return { stack: () => stack, open };
}
