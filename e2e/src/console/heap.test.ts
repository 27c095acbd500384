import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Stack } from '../stack.ts';
import { CHROMIUM, launchBrowser } from './browser.ts';
import { startLargeStack } from './large-stack.ts';
import { measurePageHeap } from './page-heap.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const MAX_HEAP_BYTES = 150_000_000;

const title = `the heap of pages with many rows${CHROMIUM ? '' : ' [skipped: Chromium is not installed]'}`;

describe.skipIf(CHROMIUM === undefined)(title, () => {
  let stack: Stack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startLargeStack({ entries: 40_000, tasks: 2_000 }), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  // `npm run lists` measures the same with more entries and tasks.
  it('stays small on each screen, and after a visit of all screens', async () => {
    for (const [name, bytes] of Object.entries(await measurePageHeap(browser, stack.origin)))
      expect(bytes, name).toBeLessThan(MAX_HEAP_BYTES);
  });
});
