import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { KEY, OTHER_KEY } from '../stack.ts';
import {
  CHROMIUM,
  expectAccessibleLooks,
  launchBrowser,
  openPage,
  openSession,
  takeScreenshot,
  WIDTHS,
} from './browser.ts';
import { ADMIN_KEY } from './console-stack.ts';
import { type MediaStack, startMediaStack } from './media-stack.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const LOOK = { width: WIDTHS.desktop, theme: 'light' } as const;
const shows = (page: Page, text: string) => page.getByText(text).first().waitFor();
const endpoints = (page: Page) => page.getByRole('region', { name: 'Endpoints' }).getByRole('listitem');
const deliveryRows = (page: Page) => page.getByRole('region', { name: 'Deliveries, newest first' }).locator('tbody tr');

describe.skipIf(CHROMIUM === undefined)('the webhooks of all keys', () => {
  let stack: MediaStack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startMediaStack(), launchBrowser()]);
    await stack.call('POST', '/v1/webhooks', { url: `${stack.receiver.origin}/other`, name: 'Archive' }, OTHER_KEY);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  async function visit(
    role: 'admin' | 'operator' | 'viewer' | 'holder',
    run: (page: Page, problems: string[]) => Promise<void>,
  ): Promise<void> {
    const { page, context, problems } = await openPage(browser, LOOK);
    page.setDefaultTimeout(15_000);
    try {
      if (role === 'holder') await openSession(page, stack.origin, KEY);
      else await openSession(page, stack.origin, ADMIN_KEY, role);
      await page.goto(`${stack.origin}/console/webhooks`);
      await run(page, problems);
      expect(problems).toEqual([]);
    } finally {
      await context.close();
    }
  }

  it('are accessible, also if a server has disabled one', async () => {
    const { receiver } = stack;
    const { response } = receiver;
    receiver.response = (reply, { path }) => void reply.writeHead(path === '/gone' ? 410 : 204).end();
    const { id } = await stack.call('POST', '/v1/webhooks', { url: `${receiver.origin}/gone` });
    try {
      await stack.call('POST', `/v1/webhooks/${String(id)}/test`, {});
      await visit('admin', async (page) => {
        await deliveryRows(page).first().waitFor();
        await shows(page, 'Disabled: the server returned 410');
        await expectAccessibleLooks(page, 'webhooks-all');
      });
    } finally {
      await stack.call('DELETE', `/v1/webhooks/${String(id)}`);
      receiver.response = response;
    }
  });

  it('are filtered by key, and opened by a link of the sidebar', async () => {
    await visit('admin', async (page) => {
      await page.getByRole('link', { name: 'Overview', exact: true }).click();
      await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
      await expect.poll(() => endpoints(page).count()).toBe(2);
      await shows(page, 'Key client');
      await page.getByLabel('API key', { exact: true }).fill('other');
      await page.keyboard.press('Enter');
      await expect.poll(() => endpoints(page).count()).toBe(1);
      await endpoints(page).filter({ hasText: 'Archive' }).waitFor();
      await shows(page, 'No deliveries');
      expect(new URL(page.url()).search).toBe('?key=other');
    });
  });

  it('stay while they cannot be read again', async () => {
    await visit('admin', async (page, problems) => {
      await deliveryRows(page).first().waitFor();
      await page.route('**/webhooks/deliveries?*', (route) => route.abort());
      await page.getByRole('alert').filter({ hasText: 'Sluice does not respond.' }).waitFor();
      expect(await deliveryRows(page).count()).toBeGreaterThan(0);
      problems.splice(0, problems.length, ...problems.filter((text) => !text.includes('ERR_FAILED')));
    });
  });

  it('are read by a viewer without actions', async () => {
    await visit('viewer', async (page) => {
      await deliveryRows(page).first().getByRole('link').click();
      await page.getByRole('group', { name: 'request line and headers' }).waitFor();
      await page.getByRole('group', { name: 'response to attempt 1' }).first().waitFor();
      for (const name of ['Resend', 'Send now', 'Add webhook', 'Send test', /^Actions of/]) {
        expect(await page.getByRole('button', { name }).count(), String(name)).toBe(0);
      }
    });
  });

  it('are sent again by an operator', async () => {
    await visit('operator', async (page) => {
      const received = stack.receiver.deliveries.length;
      await deliveryRows(page).filter({ hasText: 'video.failed' }).first().getByRole('link').click();
      await page.getByRole('group', { name: 'request body' }).filter({ hasText: stack.tasks.failed }).waitFor();
      await takeScreenshot(page, 'delivery-operator');
      await page.getByRole('button', { name: 'Resend' }).click();
      await shows(page, 'The delivery is sent again');
      await expect.poll(() => stack.receiver.deliveries.length).toBeGreaterThan(received);
      expect(await page.getByRole('button', { name: /^Actions of/ }).count()).toBe(0);
    });
  });

  it('are rotated and deleted by an admin', async () => {
    await visit('admin', async (page) => {
      const dialog = page.getByRole('dialog');
      const choose = async (item: string): Promise<void> => {
        await page.getByRole('button', { name: 'Actions of Archive' }).click();
        await page.getByRole('menuitem', { name: item }).click();
      };
      await choose('Rotate secret');
      await dialog.getByRole('button', { name: 'Rotate secret' }).click();
      await shows(page, 'whsec_');
      await page.getByRole('button', { name: 'Done' }).click();
      await choose('Delete');
      await dialog.getByRole('button', { name: 'Delete webhook' }).click();
      await endpoints(page).filter({ hasText: 'Archive' }).waitFor({ state: 'detached' });
      expect(await stack.call('GET', '/v1/webhooks', undefined, OTHER_KEY)).toMatchObject({ data: [] });
    });
  });
});
