import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from '../processes.ts';
import { launchBrowser, openPage, signIn } from './browser.ts';
import { ADMIN_KEY } from './console-stack.ts';
import { startSampleStack } from './sample-stack.ts';

const FOLDER = path.join(ROOT, 'docs/images');
const HEIGHTS = { overview: 680, requests: 860, usage: 860, task: 1_000 };

/** Takes the screenshots of the documentation: starts a gateway with sample data, and opens its console in Chromium. */
async function main(): Promise<void> {
  const [stack, browser] = await Promise.all([startSampleStack(), launchBrowser()]);
  try {
    await mkdir(FOLDER, { recursive: true });
    const { page, problems } = await openPage(browser, { width: 1_440, theme: 'light' });
    const shoot = async (name: keyof typeof HEIGHTS): Promise<void> => {
      await page.setViewportSize({ width: 1_440, height: HEIGHTS[name] });
      await page.waitForLoadState('networkidle').catch(() => undefined);
      await page.screenshot({ path: path.join(FOLDER, `console-${name}.png`), animations: 'disabled' });
    };
    await signIn(page, stack.origin, ADMIN_KEY);
    await page.getByRole('link', { name: /^Requests [\d,]+/ }).waitFor();
    await shoot('overview');
    await page.goto(`${stack.origin}/console/requests?follow=off`);
    await page.getByRole('row').nth(10).waitFor();
    await shoot('requests');
    await page.goto(`${stack.origin}/console/usage?metric=cost&by=model&period=30d`);
    await page.getByRole('row').nth(3).waitFor();
    await shoot('usage');
    await page.goto(`${stack.origin}/console/tasks/${stack.video}`);
    await showFrame(page);
    await shoot('task');
    if (problems.length > 0) throw new Error(`The console reported: ${problems.join('; ')}`);
  } finally {
    await browser.close();
    await stack.close();
  }
}

/** Plays the video for a moment, because the player shows that it loads until then. */
async function showFrame(page: Page): Promise<void> {
  await page.locator('video').waitFor();
  // As text, because the tests are compiled without the types of a browser.
  const video = 'document.querySelector("video")';
  await page.evaluate(`${video}.play()`);
  // The console's security policy forbids conditions as text.
  while (Number(await page.evaluate(`${video}.currentTime`)) < 1.5) await page.waitForTimeout(100);
  await page.evaluate(`${video}.pause()`);
  await page.evaluate('scrollTo(0, 0)');
}

await main();
