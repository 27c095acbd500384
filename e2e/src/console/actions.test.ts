import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { KEY } from '../stack.ts';
import { CHROMIUM, launchBrowser, openPage, openSession, signIn, takeScreenshot, WIDTHS } from './browser.ts';
import { ADMIN_KEY } from './console-stack.ts';
import { type MediaStack, startMediaStack } from './media-stack.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const title = `actions and links of the console${CHROMIUM ? '' : ' [skipped: Chromium is not installed]'}`;
const LOOK = { width: WIDTHS.desktop, theme: 'light' } as const;
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const shows = (page: Page, text: string) => page.getByText(text).first().waitFor();
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

describe.skipIf(CHROMIUM === undefined)(title, () => {
  let stack: MediaStack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startMediaStack(), launchBrowser()]);
    const messages = [{ role: 'user', content: 'Hello' }];
    for (let sent = 0; sent < 55; sent += 1)
      await stack.call('POST', '/v1/chat/completions', { model: 'sandbox-chat', messages });
    const listed = async () => (await stack.call('GET', '/v1/requests?limit=100'))['data'] as unknown[]; // The cast is safe because this is the list's documented form.
    await vi.waitUntil(async () => (await listed()).length >= 55, { timeout: 60_000, interval: 200 });
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  async function visit(key: string, run: (page: Page) => Promise<void>): Promise<void> {
    const { page, context, problems } = await openPage(browser, LOOK);
    page.setDefaultTimeout(15_000);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stack.origin });
    try {
      await openSession(page, stack.origin, key);
      await run(page);
      expect(problems).toEqual([]);
    } finally {
      await context.close();
    }
  }
  const open = (page: Page, at: string) => page.goto(`${stack.origin}/console/${at}`);

  it('refuse a wrong key at the sign-in, and accept the next one', async () => {
    const { page, context, problems } = await openPage(browser, LOOK);
    await page.goto(`${stack.origin}/console/tasks?status=failed`);
    await page.getByLabel('Key', { exact: true }).fill('sk-wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: /key/i }).waitFor();
    expect(await page.getByLabel('Key', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await takeScreenshot(page, 'sign-in-refused');
    await page.getByLabel('Key', { exact: true }).fill(KEY);
    await page.keyboard.press('Enter');
    await heading(page, 'Tasks');
    expect(searchOf(page)).toEqual({ status: 'failed' });
    expect(problems.filter((text) => !text.includes('401'))).toEqual([]);
    await context.close();
  });

  it('select the theme, which stays after a reload', async () => {
    await visit(KEY, async (page) => {
      await open(page, '');
      const theme = () => page.evaluate('document.documentElement.dataset.theme ?? "system"');
      for (const name of ['Dark', 'Light', 'System']) {
        await page.getByRole('button', { name: 'Theme' }).click();
        await page.getByRole('menuitem', { name }).click();
        await page.reload();
        await heading(page, 'Overview');
        expect(await theme()).toBe(name.toLowerCase());
      }
    });
  });

  it('open requests from the charts of the overview, in its period', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await open(page, '');
      await page.getByLabel('Period').selectOption('Last hour');
      await expect.poll(() => searchOf(page)).toEqual({ period: '1h' });
      // New data draws the chart again, also while the mouse moves.
      const drag = async (): Promise<void> => {
        const box = await page.locator('.u-over').first().boundingBox({ timeout: 2_000 });
        if (!box) throw new Error('the chart is drawn again');
        await page.mouse.move(box.x + 2, box.y + 30);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width - 2, box.y + 30, { steps: 5 });
        await page.mouse.up();
        await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor({ timeout: 2_000 });
      };
      await vi.waitFor(drag, { timeout: 30_000, interval: 200 });
      expect(Number(searchOf(page)['end']) - Number(searchOf(page)['start'])).toBeGreaterThanOrEqual(3_600);
      await open(page, '');
      await page.getByRole('link', { name: 'All upstreams' }).click();
      await heading(page, 'Upstreams');
    });
  });

  it('page through requests, copy an id, and open the task of an entry', async () => {
    await visit(KEY, async (page) => {
      await open(page, 'requests?period=1h&type=request');
      const first = page.getByRole('row').nth(1).getByRole('link');
      const newest = await first.getAttribute('href');
      await page.getByRole('button', { name: 'Older' }).click();
      await expect.poll(() => first.getAttribute('href')).not.toBe(newest);
      await page.getByRole('button', { name: 'Newest' }).click();
      await expect.poll(() => searchOf(page)['after']).toBeUndefined();
      await page.getByLabel('Type', { exact: true }).selectOption('task');
      await page.getByRole('row').nth(1).getByText('Task', { exact: true }).waitFor();
      await first.click();
      await page.getByRole('button', { name: 'Copy entry id' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^(?:led|video|image)_/);
      await page.getByRole('link', { name: 'Open the task' }).click();
      await page.getByRole('region', { name: 'Steps' }).waitFor();
      await page.getByRole('link', { name: 'Entry in the usage ledger' }).click();
      await page.getByRole('region', { name: 'Ids' }).waitFor();
    });
  });

  it('switch between the list and the board of tasks, and filter both', async () => {
    await visit(KEY, async (page) => {
      await open(page, 'tasks');
      await page.getByRole('row').nth(4).waitFor();
      await page.getByLabel('Kind').selectOption('image');
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      await page.getByRole('link', { name: 'Board', exact: true }).click();
      await page.getByRole('region', { name: 'Completed' }).getByRole('link').first().waitFor();
      expect(searchOf(page)).toEqual({ view: 'board', kind: 'image' });
      await page.getByLabel('Model', { exact: true }).fill('no-such');
      await expect.poll(() => page.getByRole('region', { name: 'Completed' }).getByRole('link').count()).toBe(0);
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByRole('region', { name: 'Failed' }).getByRole('link').click();
      await shows(page, 'The vendor refused the content for its policy.');
      await page.getByRole('region', { name: 'Webhooks' }).getByRole('link', { name: 'Details' }).click();
      await page.getByRole('dialog', { name: 'Delivery' }).getByText('webhook-id').waitFor();
    });
  });

  it('cancel the task of another key as an operator', async () => {
    const id = await stack.video('A slow river of an operator [stall]');
    await visit(ADMIN_KEY, async (page) => {
      await open(page, `tasks/${id}`);
      const summary = page.getByRole('region', { name: 'Summary' });
      await summary.getByRole('link', { name: 'client' }).waitFor();
      await summary.getByRole('link', { name: /sandbox-video/ }).waitFor();
      await page.getByRole('button', { name: 'Cancel task' }).click();
      await shows(page, 'If the vendor cannot cancel the job, the task continues.');
      await page.getByLabel('Note').fill('Asked for by its owner');
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel task' }).click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      const status = async () => (await stack.call('GET', `/v1/tasks/${id}`))['status'];
      await expect.poll(status).toMatch(/^cancel/);
      await shows(page, 'Note: Asked for by its owner');
    });
  });

  it('follow the remixes of the gallery, and filter it', async () => {
    await visit(KEY, async (page) => {
      await open(page, 'gallery');
      const cards = page.locator('main ul > li');
      await expect.poll(() => cards.count()).toBe(3);
      await page.getByLabel('Kind').selectOption('image');
      await expect.poll(() => cards.count()).toBe(1);
      await page.getByRole('button', { name: 'Clear' }).click();
      await cards.filter({ hasText: 'A paper boat' }).getByRole('link', { name: 'Remixes' }).click();
      await expect.poll(() => cards.count()).toBe(1);
      await cards.getByRole('link', { name: 'Original' }).click();
      await page.getByRole('region', { name: 'Lineage' }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/console/tasks/${stack.tasks.original}`);
    });
  });

  it('select the period of usage, and open what belongs to a key', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await open(page, 'usage');
      await page.getByRole('link', { name: 'sandbox-chat' }).waitFor();
      await page.getByLabel('Period').selectOption('Last 30 days');
      await page.getByText('Sums of each day in UTC').waitFor();
      expect(searchOf(page)).toEqual({ period: '30d' });
      await open(page, 'keys');
      await page.getByLabel('Name').fill('oth');
      await page.getByRole('link', { name: 'client' }).waitFor({ state: 'detached' });
      await page.getByLabel('Source').selectOption('store');
      await shows(page, 'No key matches these filters');
      await open(page, 'keys/client');
      await page.getByRole('link', { name: 'Usage of this key' }).click();
      await heading(page, 'Usage');
      expect(searchOf(page)).toEqual({ key: 'client', period: '30d' });
      await page.goBack();
      await page.getByRole('link', { name: 'Requests of this key' }).click();
      await heading(page, 'Requests');
      expect(searchOf(page)).toEqual({ key: 'client' });
    });
  });

  it('use a new key with limits until it is revoked', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await open(page, 'keys');
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('limited');
      await dialog.getByLabel('Requests per minute').fill('1');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByRole('button', { name: 'Copy secret' }).click();
      await dialog.getByRole('button', { name: 'Copied' }).waitFor();
      const secret = String(await page.evaluate('navigator.clipboard.readText()'));
      await dialog.getByRole('button', { name: 'I have stored it' }).click();
      const call = async () => {
        const body = JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello' }] });
        const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
        return (await fetch(`${stack.baseUrl}/chat/completions`, { method: 'POST', headers, body })).status;
      };
      expect([await call(), await call()]).toEqual([200, 429]);
      const holder = await openPage(browser, LOOK);
      await signIn(holder.page, stack.origin, secret);
      await page.getByRole('link', { name: 'limited' }).click();
      await page.getByRole('button', { name: 'Revoke' }).click();
      await dialog.getByRole('button', { name: 'Revoke key' }).click();
      await shows(page, 'Key limited is revoked.');
      expect(await call()).toBe(401);
      await holder.page.reload();
      await holder.page.getByLabel('Key', { exact: true }).waitFor();
      await holder.context.close();
    });
  });

  it('say on the empty screens of a new key what to do next', async () => {
    const created = await stack.call('POST', '/admin/v1/keys', { name: 'fresh' }, ADMIN_KEY);
    await visit(String(created['key']), async (page) => {
      await open(page, '');
      await shows(page, 'Send one, or open the');
      await page.getByRole('link', { name: 'setup', exact: true }).click();
      await heading(page, 'Setup');
      for (const [at, text, mode] of [
        ['requests', 'No requests in this period', undefined],
        ['tasks', 'No tasks yet', 'video'],
        ['gallery', 'No videos or images yet', 'video'],
      ] as const) {
        await open(page, at);
        await shows(page, text);
        await page.getByRole('link', { name: 'Open the playground' }).click();
        await heading(page, 'Playground');
        expect(searchOf(page)['mode']).toBe(mode);
      }
      for (const [at, text] of [
        ['usage', 'No usage in this period'],
        ['webhooks', 'No webhooks yet'],
        ['webhooks', 'No deliveries'],
      ] as const) {
        await open(page, at);
        await shows(page, text);
      }
    });
  });

  it('disable and enable a webhook, filter deliveries by it, and rotate the callback secret', async () => {
    await visit(KEY, async (page) => {
      await open(page, 'webhooks');
      const endpoint = page.getByRole('region', { name: 'Endpoints' }).getByRole('listitem');
      const choose = async (item: string): Promise<void> => {
        await endpoint.getByRole('button', { name: 'Actions of Render farm' }).click();
        await page.getByRole('menuitem', { name: item }).click();
      };
      await choose('Disable');
      await endpoint.getByText('Disabled').waitFor();
      await choose('Enable');
      await endpoint.getByText('Enabled').waitFor();
      await endpoint.getByRole('link', { name: 'Deliveries' }).click();
      await expect.poll(() => searchOf(page)['webhook']).toMatch(/^whe_/);
      expect(await page.getByLabel('Receiver').inputValue()).toBe(searchOf(page)['webhook']);
      await page.getByLabel('Receiver').selectOption('All receivers');
      await expect.poll(() => searchOf(page)).toEqual({});
      const secret = page.getByRole('region', { name: 'Callback secret' });
      await secret.getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('dialog').getByRole('checkbox').uncheck();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
      await page.getByRole('group', { name: 'signing secret' }).filter({ hasText: 'whsec_' }).waitFor();
      expect(await page.getByText('The previous secret also signs').count()).toBe(0);
    });
  });

  it('remove an attached image, and copy code, in the playground', async () => {
    await visit(KEY, async (page) => {
      await open(page, 'playground?model=sandbox-chat');
      const buffer = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
      await page.getByLabel('Images', { exact: true }).setInputFiles({ name: 'a.gif', mimeType: 'image/gif', buffer });
      await page.getByRole('button', { name: 'Remove image 1' }).click();
      expect(await page.getByRole('img', { name: 'Attached image 1' }).count()).toBe(0);
      await page.getByLabel('Message', { exact: true }).fill('Hello');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText(/→ .* tokens$/).waitFor();
      await page.getByText('Copy as code').click();
      await page.getByRole('button', { name: 'Copy curl code' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toContain('/v1/chat/completions');
    });
  });
});
