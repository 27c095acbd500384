import type { Browser } from 'playwright-core';
import { openPage, openSession, WIDTHS } from './browser.ts';
import { ADMIN_KEY } from './console-stack.ts';
import { MODELS, UPSTREAMS } from './large-stack.ts';

/** Each screen with a list, a text of its rows, and the number of its rows. */
const SCREENS = {
  requests: { at: 'requests?period=30d&follow=off', shows: 'model-1', rows: 50 },
  tasks: { at: 'tasks', shows: 'test-video', rows: 20 },
  board: { at: 'tasks?view=board', shows: 'test-video', rows: 100 },
  gallery: { at: 'gallery', shows: 'A paper boat', rows: 12 },
  usage: { at: 'usage?period=30d&by=model&split=upstream', shows: 'model-1', rows: 100 },
  models: { at: 'models', shows: 'model-1', rows: MODELS },
  upstreams: { at: 'upstreams?period=30d', shows: 'upstream-1', rows: UPSTREAMS },
  audit: { at: 'audit', shows: 'unknown-2', rows: 50 },
} as const;

const LINKS = [
  'Requests',
  'Tasks',
  'Gallery',
  'Usage',
  'Models',
  'Upstreams',
  'Audit log',
  'Configuration',
  'Overview',
];

/**
 * Opens each screen of a stack with many rows. @returns the used heap of each page in bytes after a garbage collection,
 * and that of a page that has visited all screens. @throws if a screen shows too few rows or reports an error
 */
export async function measurePageHeap(browser: Browser, origin: string): Promise<Record<string, number>> {
  const { page, context, problems } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.enable');
  const usedHeap = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };
  await openSession(page, origin, ADMIN_KEY);
  const used: Record<string, number> = {};
  for (const [name, { at, shows, rows }] of Object.entries(SCREENS)) {
    await page.goto(`${origin}/console/${at}`);
    const main = page.getByRole('main');
    await main.getByText(shows).first().waitFor({ timeout: 60_000 });
    const shown = await main.locator('tbody tr, li').count();
    if (shown < rows) throw new Error(`The screen ${name} has ${shown} rows instead of ${rows}.`);
    used[name] = await usedHeap();
  }
  // The queries of these screens stay in the cache of the page.
  for (const link of LINKS) {
    await page.getByRole('link', { name: link, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: link }).waitFor();
    await page.waitForLoadState('networkidle');
  }
  used['all screens'] = await usedHeap();
  await context.close();
  if (problems.length > 0) throw new Error(`The console reported: ${problems.join('; ')}`);
  return used;
}
