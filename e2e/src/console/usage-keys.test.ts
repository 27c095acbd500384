import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Stack } from '../stack.ts';
import {
  CHROMIUM,
  expectAccessible,
  expectAccessibleLooks,
  launchBrowser,
  openPage,
  signIn,
  takeScreenshot,
  WIDTHS,
} from './browser.ts';
import { ADMIN_KEY, MARKUP, startConsoleStack, waitForLedger } from './console-stack.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const title = `usage and keys${CHROMIUM ? '' : ' [skipped: Chromium is not installed]'}`;

describe.skipIf(CHROMIUM === undefined)(title, () => {
  let stack: Stack;
  let browser: Browser;
  /** The secret of a key with a budget. */
  let team: string;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startConsoleStack(), launchBrowser()]);
    team = await createKey('team', {
      models: ['sandbox-*'],
      limits: { rpm: 600 },
      budget: { usd: 0.01, period: 'month' },
      labels: { team: 'search' },
    });
    await createKey('idle', { budget: { usd: 5, period: 'day' }, models: [MARKUP] });
    for (let sent = 0; sent < 12; sent += 1) expect(await chatWith(team)).toBe(200);
    await waitForLedger(stack.origin);
    await vi.waitUntil(async () => (await requestsOf('team')) === 12, { timeout: 30_000, interval: 200 });
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  const adminAuth = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' };

  async function createKey(name: string, settings: Record<string, unknown>): Promise<string> {
    const body = JSON.stringify({ name, ...settings });
    const response = await fetch(`${stack.origin}/admin/v1/keys`, { method: 'POST', headers: adminAuth, body });
    return ((await response.json()) as { key: string }).key; // The cast is safe because a new key has a secret.
  }

  async function chatWith(key: string): Promise<number> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const messages = [{ role: 'user', content: 'Hello there.' }];
    const body = JSON.stringify({ model: 'sandbox-chat', max_tokens: 40, messages });
    return (await fetch(`${stack.baseUrl}/chat/completions`, { method: 'POST', headers, body })).status;
  }

  async function requestsOf(key: string): Promise<number> {
    const response = await fetch(`${stack.baseUrl}/usage?key=${key}`, { headers: adminAuth });
    // The cast is safe because this is the documented form.
    const { data } = (await response.json()) as { data: { requests: number }[] };
    return data[0]?.requests ?? 0;
  }

  const open = async (page: Page, at: string): Promise<void> => {
    await page.goto(`${stack.origin}/console${at}`);
  };

  it('are accessible', async () => {
    const { page, context, problems } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    const check = (screen: string, isDialog = false): Promise<void> => expectAccessibleLooks(page, screen, isDialog);
    await signIn(page, stack.origin, ADMIN_KEY);
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await page.getByRole('region', { name: 'Usage by group' }).getByRole('link', { name: 'sandbox-chat' }).waitFor();
    await page.getByRole('region', { name: 'Budgets', exact: true }).getByRole('link', { name: 'team' }).waitFor();
    await check('usage-admin');
    await open(page, '/usage?metric=tokens&by=model&split=key&period=24h');
    await page.getByRole('cell', { name: 'team' }).first().waitFor();
    await check('usage-two-dimensions');
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('link', { name: 'team' }).waitFor();
    await check('keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog', { name: 'Create key' }).waitFor();
    await check('keys-create', true);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'team' }).click();
    await page.getByRole('region', { name: 'What its holder sees' }).waitFor();
    await check('key');
    expect(problems).toEqual([]);
    await context.close();
  });

  it('are accessible to the holder of a key', async () => {
    const { page, context, problems } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    const check = (screen: string): Promise<void> => expectAccessibleLooks(page, screen);
    await signIn(page, stack.origin, team);
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await page.getByRole('cell', { name: /\$0\.0\d+ of \$0\.01/ }).waitFor();
    expect(await page.getByLabel('API key', { exact: true }).count()).toBe(0);
    await check('usage-holder');
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('heading', { name: /^team/ }).waitFor();
    await page.getByText('sandbox-chat').waitFor();
    expect(await page.getByText('test-video').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    await check('keys-holder');
    expect(problems).toEqual([]);
    await context.close();
  });

  it('reports a metric by two dimensions, as a table, in the address, and as CSV', async () => {
    const { page, context, problems } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    await signIn(page, stack.origin, ADMIN_KEY);
    await open(page, '/usage');
    await page.getByLabel('Metric').selectOption('Requests');
    await page.getByLabel('Group by').selectOption('API key');
    await page.getByLabel('Then by').selectOption('Model');
    const row = page.getByRole('row', { name: /team sandbox-chat 12/ });
    await row.waitFor();
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ metric: 'requests', by: 'key', split: 'model' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    expect(download.suggestedFilename()).toBe('usage-key-model.csv');
    expect(csv).toMatch(/^key,model,hour,requests,/);
    expect(csv).toMatch(/^team,sandbox-chat,\d{4}-\d\d-\d\dT\d\d:00:00Z,\d+,/m);
    await page.getByLabel('Model', { exact: true }).fill('no-such');
    await page.keyboard.press('Enter');
    await page.getByText('No usage matches these filters').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await row.getByRole('link', { name: 'team' }).click();
    await page.getByRole('heading', { name: 'Requests', exact: true }).waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ key: 'team', model: 'sandbox-chat' });
    expect(problems).toEqual([]);
    await context.close();
  });

  it('shows that usage has no price instead of a cost of zero', async () => {
    const { page, context, problems } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    await signIn(page, stack.origin, ADMIN_KEY);
    await open(page, '/usage?model=test-video&period=24h');
    await page.getByRole('row', { name: /test-video unpriced/ }).waitFor();
    await page.getByText('Total unpriced').waitFor();
    await page.getByText('1 request or task has no price, so the real cost is higher.').waitFor();
    await open(page, '/usage?period=24h');
    await page.getByText(/^Total \$0\.\d+ \+ unpriced$/).waitFor();
    await page.getByRole('row', { name: /sandbox-chat \$0\.\d+ / }).waitFor();
    await page.getByRole('region', { name: 'Budgets and forecast' }).getByText('1 without a price').waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  it('creates, changes, rotates, and revokes a key, and shows each secret once', async () => {
    const { page, context, problems } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    await signIn(page, stack.origin, ADMIN_KEY);
    await open(page, '/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('not a name');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('alert').getByText(/name/).waitFor();
    expect(await dialog.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Name').fill('browser-made');
    await dialog.getByLabel('Models').fill('sandbox-chat');
    await dialog.getByLabel('Requests per minute').fill('100');
    await dialog.getByLabel('US dollars').fill('3');
    await dialog.getByLabel('Labels').fill('team=web');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const secretOf = async (): Promise<string> =>
      (await dialog.getByRole('group', { name: 'secret' }).textContent()) ?? '';
    const secret = await secretOf();
    expect(secret).toMatch(/^sk-sluice-/);
    await takeScreenshot(page, 'keys-secret');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    expect(await secretOf()).toBe(secret);
    expect(await chatWith(secret)).toBe(200);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('link', { name: 'browser-made' }).click();

    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await dialog.getByLabel('Requests per minute').inputValue()).toBe('100');
    await dialog.getByLabel('Requests per minute').fill('');
    await dialog.getByLabel('Models').fill('no-such-*');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Key browser-made is changed.').first().waitFor();
    await page.getByText('no-such-*').waitFor();
    expect(await chatWith(secret)).toBe(403);

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByLabel('The old secret').selectOption('End now');
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByRole('group', { name: 'secret' }).waitFor();
    const next = await secretOf();
    expect([await chatWith(secret), await chatWith(next)]).toEqual([401, 403]);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();

    await page.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('Key browser-made is revoked.').first().waitFor();
    expect(await chatWith(next)).toBe(401);
    await page.getByRole('heading', { name: /browser-made revoked/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Rotate secret' }).count()).toBe(0);
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    for (const one of [secret, next]) {
      expect(stored + page.url() + (await page.content()) + (await stack.logs())).not.toContain(one);
    }
    expect(problems.filter((text) => !text.includes('400'))).toEqual([]);
    await context.close();
  });

  it('shows no change to a viewer, and configured keys cannot be changed', async () => {
    const { page, context, problems } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    const body = { key: ADMIN_KEY, role: 'viewer' };
    const session = await context.request.post(`${stack.origin}/console/api/session`, {
      data: body,
      headers: { origin: stack.origin },
    });
    expect(session.status()).toBe(201);
    await open(page, '/keys');
    await page.getByRole('link', { name: 'team' }).click();
    await page.getByRole('region', { name: 'What its holder sees' }).waitFor();
    expect(await page.getByRole('button', { name: /Create|Edit|Rotate|Revoke/ }).count()).toBe(0);
    await context.clearCookies();
    await signIn(page, stack.origin, ADMIN_KEY);
    await open(page, '/keys/client');
    await page.getByText('This key is in the configuration file. Change it there.').waitFor();
    expect(await page.getByRole('button', { name: /Edit|Rotate|Revoke/ }).count()).toBe(0);
    await open(page, '/keys/idle');
    await page.getByText(`These models are not in the configuration: ${MARKUP}.`).waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(problems).toEqual([]);
    await context.close();
  });
});
