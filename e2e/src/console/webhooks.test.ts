import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { KEY, OTHER_KEY } from '../stack.ts';
import { CHROMIUM, expectAccessible, expectAccessibleLooks, takeScreenshot } from './browser.ts';
import { ADMIN_KEY } from './console-stack.ts';
import { shows, useMediaScreens } from './media-screens.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const endpoints = (page: Page) => page.getByRole('region', { name: 'Endpoints' }).getByRole('listitem');
const deliveryRows = (page: Page) => page.getByRole('region', { name: 'Deliveries, newest first' }).locator('tbody tr');

describe.skipIf(CHROMIUM === undefined)('the webhooks of a key and of all keys', () => {
  const { stack, visit: visitAs, open } = useMediaScreens();
  beforeAll(async () => {
    await stack().call('POST', '/v1/webhooks', { url: `${stack().receiver.origin}/other`, name: 'Archive' }, OTHER_KEY);
  });

  async function visit(
    role: 'admin' | 'operator' | 'viewer' | 'holder',
    run: (page: Page, problems: string[]) => Promise<void>,
  ): Promise<void> {
    const [key, ofAdmin] = role === 'holder' ? [KEY, undefined] : [ADMIN_KEY, role];
    const visitScreen = async (page: Page, problems: string[]) => {
      await open(page, 'webhooks');
      await run(page, problems);
    };
    await visitAs(key, visitScreen, ofAdmin);
  }

  it('are accessible, also if a server has disabled one', async () => {
    const { receiver } = stack();
    const { response } = receiver;
    receiver.response = (reply, { path }) => void reply.writeHead(path === '/gone' ? 410 : 204).end();
    const { id } = await stack().call('POST', '/v1/webhooks', { url: `${receiver.origin}/gone` });
    try {
      await stack().call('POST', `/v1/webhooks/${String(id)}/test`, {});
      await visit('admin', async (page) => {
        await deliveryRows(page).first().waitFor();
        await shows(page, 'Disabled: the server returned 410');
        await expectAccessibleLooks(page, 'webhooks-all');
      });
    } finally {
      await stack().call('DELETE', `/v1/webhooks/${String(id)}`);
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
      const received = stack().receiver.deliveries.length;
      await deliveryRows(page).filter({ hasText: 'video.failed' }).first().getByRole('link').click();
      await page.getByRole('group', { name: 'request body' }).filter({ hasText: stack().tasks.failed }).waitFor();
      await takeScreenshot(page, 'delivery-operator');
      await page.getByRole('button', { name: 'Resend' }).click();
      await shows(page, 'The delivery is sent again');
      await expect.poll(() => stack().receiver.deliveries.length).toBeGreaterThan(received);
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
      expect(await stack().call('GET', '/v1/webhooks', undefined, OTHER_KEY)).toMatchObject({ data: [] });
    });
  });

  it('adds, changes, tests, rotates, and deletes a webhook', async () => {
    await visit('holder', async (page) => {
      const dialog = page.getByRole('dialog');
      await page.getByRole('button', { name: 'Add webhook' }).click();
      await expectAccessible(page);
      await dialog.getByLabel('URL').fill('http://127.0.0.1:1/');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('alert').filter({ hasText: 'allows its origin in webhooks.allow' }).waitFor();
      await dialog.getByLabel('URL').fill(`${stack().receiver.origin}/second`);
      await dialog.getByLabel('Name').fill('Second');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await shows(page, 'whsec_');
      await page.getByRole('button', { name: 'Done' }).click();
      const endpoint = page
        .getByRole('region', { name: 'Endpoints' })
        .getByRole('listitem')
        .filter({ hasText: 'Second' });
      await endpoint.getByRole('button', { name: 'Send test' }).click();
      await shows(page, 'The test answered with 204');
      const choose = async (item: string): Promise<void> => {
        await endpoint.getByRole('button', { name: 'Actions of Second' }).click();
        await page.getByRole('menuitem', { name: item }).click();
      };
      await choose('Rotate secret');
      await dialog.getByRole('button', { name: 'Rotate secret' }).click();
      await shows(page, 'The previous secret also signs until');
      await page.getByRole('button', { name: 'Done' }).click();
      await choose('Disable');
      await endpoint.getByText('Disabled').waitFor();
      await choose('Edit');
      await dialog.getByLabel('Name').fill('Second again');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await shows(page, 'Second again');
      await endpoint.getByRole('button', { name: 'Actions of Second again' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await dialog.getByRole('button', { name: 'Delete webhook' }).click();
      await endpoint.waitFor({ state: 'detached' });
      const stored = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })');
      expect(`${String(stored)}${page.url()}`).not.toContain('whsec_');
    });
  });

  it('shows the request and the responses of a delivery, and sends it again', async () => {
    await visit('holder', async (page) => {
      const received = stack().receiver.deliveries.length;
      const row = page.getByRole('row').filter({ hasText: 'video.failed' }).last();
      await row.getByRole('link').click();
      await page.getByRole('group', { name: 'request body' }).filter({ hasText: stack().tasks.failed }).waitFor();
      await shows(page, 'HTTP 204');
      await page.getByRole('button', { name: 'Resend' }).click();
      await shows(page, 'The delivery is sent again');
      await expect.poll(() => stack().receiver.deliveries.length).toBeGreaterThan(received);
      expect(new URL(page.url()).searchParams.get('delivery')).toMatch(/^whd_/);
      await page.keyboard.press('Escape');
      await expect.poll(() => new URL(page.url()).searchParams.get('delivery')).toBeNull();
      await page.getByRole('button', { name: 'Show' }).click();
      await shows(page, 'whsec_');
    });
  });
});
