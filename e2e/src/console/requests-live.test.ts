import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { KEY, OTHER_KEY } from '../stack.ts';
import { CHROMIUM, expectAccessible, expectAccessibleLooks, takeScreenshot } from './browser.ts';
import { ADMIN_KEY } from './console-stack.ts';
import { follow, rows, useRequestsScreen } from './requests-screen.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

/** Counts the requests of the list, when it has loaded. */
async function countRows(page: Page): Promise<number> {
  await rows(page).getByRole('link').first().waitFor();
  return rows(page).count();
}

/** Waits until the list shows this number of requests. */
const shows = (page: Page, count: number) => expect.poll(() => rows(page).count()).toBe(count);

describe.skipIf(CHROMIUM === undefined)('the requests screen and its live data', () => {
  const { stack, send, say, visit, open } = useRequestsScreen();

  it.each(Object.entries({ admin: ADMIN_KEY, holder: KEY }))('is accessible to the %s', async (role, key) => {
    await visit(key, async (page) => {
      const check = (screen: string): Promise<void> => expectAccessibleLooks(page, `${screen}-${role}`);
      await open(page, 'requests?period=1h');
      await rows(page).first().waitFor();
      await page.locator('.uplot').waitFor();
      await check('requests-live');
      await open(page, 'requests?period=1h&model=translated');
      await rows(page).getByRole('link').first().click();
      await page.getByRole('region', { name: 'Translation' }).getByText('top_k').waitFor();
      await check('request-translated');
    });
  });

  it('shows all columns on a desktop, also with a long name', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await page.route('**/v1/requests?*', async (route) => {
        const body = await (await route.fetch()).text();
        await route.fulfill({
          body: body.replaceAll('"upstream":"text"', '"upstream":"text-generation-in-europe-west1"'),
        });
      });
      await open(page, 'requests?period=1h');
      await page.getByText('text-generation-in-europe-west1').first().waitFor();
      const table = await page.getByRole('region', { name: 'Requests', exact: true }).boundingBox();
      const cost = await page.getByRole('columnheader', { name: 'Cost' }).boundingBox();
      expect((cost?.x ?? 0) + (cost?.width ?? 0)).toBeLessThanOrEqual((table?.x ?? 0) + (table?.width ?? 0) + 1);
    });
  });

  it('marks streams that failed after their status, and finds them as errors', async () => {
    const messages = [{ role: 'user', content: 'Break. [cut]' }];
    await send('/v1/chat/completions', { model: 'sandbox-chat', stream: true, messages });
    await visit(KEY, async (page) => {
      await open(page, 'requests?period=1h&status=error');
      await rows(page).filter({ hasText: '200, failed' }).getByRole('link').first().click();
      await page.getByText('200, failed').waitFor();
    });
  });

  it('says that it cannot read data, and keeps what it has', async () => {
    await visit(ADMIN_KEY, async (page, problems) => {
      const failure = page.getByRole('alert').filter({ hasText: 'Sluice does not respond.' });
      await page.route('**/console/api/events', (route) => route.abort());
      await open(page, 'tasks');
      await page.getByText('No tasks yet').waitFor();
      await page.route(/\/v1\/(tasks|usage)\?/, (route) => route.abort());
      await failure.waitFor();
      await page.getByText('No tasks yet').waitFor();
      await open(page, '');
      await failure.waitFor();
      expect(await page.getByRole('main').locator('.animate-pulse').count()).toBe(0);
      problems.splice(0, problems.length, ...problems.filter((text) => !text.includes('ERR_FAILED')));
    });
  });

  it('offers a first request with a model of the key', async () => {
    const response = await fetch(`${stack().origin}/admin/v1/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'newcomer', models: ['translated'] }),
    });
    const { key } = (await response.json()) as { key: string }; // The cast is safe because a new key has its secret.
    await visit(key, async (page) => {
      await open(page, '');
      await page.getByText('"model": "translated"').waitFor();
    });
  });

  it('shows a new request without a reload, also if another process stored it', async () => {
    await visit(KEY, async (page) => {
      await open(page, 'requests?period=1h&user=');
      await page.getByTitle('New requests appear at once').waitFor();
      const before = await countRows(page);
      await say('live');
      await shows(page, before + 1);
      expect(await rows(page).first().getAttribute('class')).toContain('row-new');
      // Requests of another key are not announced, and not listed.
      await say('live', OTHER_KEY);
      await say('live');
      await shows(page, before + 2);
    });
  });

  it('reads the list every few seconds while the stream is cut', async () => {
    await visit(ADMIN_KEY, async (page, problems) => {
      await page.route('**/console/api/events', (route) => route.abort());
      await open(page, 'requests?period=1h');
      await page.getByTitle('New requests appear every few seconds').waitFor();
      const before = await countRows(page);
      await say('fallback');
      await shows(page, before + 1);
      // Chromium reports the failed stream.
      problems.splice(0, problems.length, ...problems.filter((text) => !text.includes('ERR_FAILED')));
    });
  });

  it('keeps the rows in place while it is paused, or while the user reads further down', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await open(page, 'requests?period=1h');
      await page.getByTitle('New requests appear at once').waitFor();
      const before = await countRows(page);
      await follow(page).click();
      expect(await follow(page).getAttribute('aria-checked')).toBe('false');
      expect(new URL(page.url()).searchParams.get('follow')).toBe('off');
      await say('paused');
      await page.getByRole('button', { name: 'Show 1 new request' }).waitFor();
      await takeScreenshot(page, 'requests-paused');
      expect(await rows(page).count()).toBe(before);
      await page.getByRole('button', { name: 'Show 1 new request' }).click();
      await shows(page, before + 1);
      await follow(page).click();
      await page.evaluate('window.scrollTo(0, 400)');
      await expect.poll(() => page.evaluate('window.scrollY')).toBeGreaterThan(200);
      const top = await rows(page).nth(8).boundingBox();
      await say('reading');
      await page.getByRole('button', { name: 'Show 1 new request' }).waitFor();
      expect(await rows(page).nth(8).boundingBox()).toEqual(top);
      await page.getByRole('button', { name: 'Show 1 new request' }).click();
      await shows(page, before + 2);
    });
  });

  it('selects a period by dragging over the chart', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await open(page, 'requests?period=1h');
      const chart = page.locator('.u-over');
      const box = await chart.boundingBox();
      if (!box) throw new Error('there is a chart');
      await page.mouse.move(box.x + box.width * 0.2, box.y + 30);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.4, box.y + 30, { steps: 5 });
      await page.mouse.up();
      await page.getByText('No request matches these filters').waitFor();
      const { searchParams } = new URL(page.url());
      const selected = Number(searchParams.get('end')) - Number(searchParams.get('start'));
      expect(selected).toBeGreaterThan(300);
      expect(selected).toBeLessThan(1_500);
      expect(await page.getByLabel('Period').inputValue()).toBe('custom');
      expect(await follow(page).count()).toBe(0);
      await takeScreenshot(page, 'requests-selected');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Clear the selected period' }).click();
      await rows(page).first().waitFor();
      expect(new URL(page.url()).search).toBe('?period=1h');
    });
  });

  it('selects a period without a pointer', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await open(page, 'requests?period=1h');
      await rows(page).first().waitFor();
      await page.getByLabel('Period').selectOption('Selected period');
      await page.getByLabel('From', { exact: true }).waitFor();
      const endOf = () => Number(new URL(page.url()).searchParams.get('end'));
      const startOf = () => Number(new URL(page.url()).searchParams.get('start'));
      expect(endOf() - startOf()).toBe(3_600);
      await expectAccessible(page);
      await page.getByLabel('To', { exact: true }).fill('2026-01-02T00:00:00');
      await page.keyboard.press('Enter');
      await page.getByText('No request matches these filters').waitFor();
      // The start moves along.
      expect(endOf() - startOf()).toBe(3_600);
      await page.getByLabel('Period').selectOption('Last hour');
      await rows(page).first().waitFor();
      expect(new URL(page.url()).search).toBe('?period=1h');
    });
  });
});
