import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { KEY, VENDOR_KEY } from '../stack.ts';
import {
  CHROMIUM,
  expectAccessible,
  expectAccessibleLooks,
  launchBrowser,
  openPage,
  openSession,
  signIn,
  takeScreenshot,
  type Visitor,
  WIDTHS,
} from './browser.ts';
import { ADMIN_KEY, MARKUP } from './console-stack.ts';
import { BROKEN_KEY, startUpstreamsStack, type UpstreamsStack } from './upstreams-stack.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

/** Added to the file while Sluice runs. */

const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

const title = `upstreams, models, and configuration${CHROMIUM ? '' : ' [skipped: Chromium is not installed]'}`;

describe.skipIf(CHROMIUM === undefined)(title, () => {
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
  const configFile = () => path.join(stack.dir, 'sluice.yaml');

  /** Opens a page with a session of this role of the admin key. */
  async function openAs(role: 'admin' | 'operator' | 'viewer', width: number = WIDTHS.desktop): Promise<Visitor> {
    const visitor = await openPage(browser, { width, theme: 'light' });
    await openSession(visitor.page, stack.origin, ADMIN_KEY, role);
    return visitor;
  }

  it('are accessible', async () => {
    const { page, context, problems } = await openAs('admin');
    const check = (screen: string, isDialog = false): Promise<void> => expectAccessibleLooks(page, screen, isDialog);
    await open(page, '/');
    await page.getByRole('link', { name: 'Upstreams', exact: true }).click();
    await page
      .getByRole('row', { name: /^broken/ })
      .getByText('Paused')
      .waitFor();
    await page.getByText('SLUICE_E2E_UNSET_KEY').waitFor();
    await check('upstreams');
    await page.getByRole('link', { name: 'broken', exact: true }).click();
    await page.getByRole('region', { name: 'Newest errors' }).getByText('503').first().waitFor();
    await check('upstream-broken');
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByRole('dialog', { name: 'Test broken' }).getByLabel('Model').waitFor();
    await check('upstream-test', true);
    await page.getByRole('button', { name: 'Send one request' }).click();
    await page.getByRole('region', { name: 'Outcome' }).getByText('The request failed').waitFor();
    await check('upstream-test-failed', true);
    await open(page, '/upstreams/vendor');
    await page.getByText('1 of 8').or(page.getByText('0 of 8')).waitFor();
    await check('upstream-tasks');
    await open(page, '/upstreams/busy');
    await page.getByRole('heading', { name: /^busy Busy/ }).waitFor();
    await page.getByText(/submits the next task in \d/).waitFor();
    await page
      .getByRole('region', { name: 'Credentials' })
      .getByText(/^Rests, next task in \d/)
      .waitFor();
    await check('upstream-busy');
    await open(page, '/upstreams/pooled');
    const credentials = page.getByRole('region', { name: 'Credentials' }).getByRole('listitem');
    await credentials.filter({ hasText: 'primary' }).getByText('Ready').waitFor();
    await credentials.filter({ hasText: 'primary' }).getByText('0 of 20').first().waitFor();
    await credentials.filter({ hasText: 'primary' }).getByText('500 calls/min').waitFor();
    await credentials.filter({ hasText: 'revoked' }).getByText('Rejected').waitFor();
    await check('upstream-pool');
    await page.getByRole('link', { name: 'Models', exact: true }).click();
    await page.getByRole('row', { name: /gpt-5.1/ }).waitFor();
    await check('models');
    await page.getByRole('link', { name: 'gpt-5.1' }).first().click();
    await page.getByText('Cached input tokens').waitFor();
    await check('model');
    await page.getByRole('link', { name: 'Configuration', exact: true }).click();
    await page.getByText('The running configuration is that of the file').waitFor();
    await check('configuration');
    await open(page, '/configuration?section=upstreams');
    await page.getByRole('group', { name: 'upstreams as YAML' }).waitFor();
    await check('configuration-section');
    await open(page, '/configuration?find=models');
    await page.getByRole('cell', { name: 'models[sandbox-chat].price.input' }).waitFor();
    await check('configuration-find');
    expect(problems).toEqual([]);
    await context.close();
  });

  it('tests an upstream with one real request, after a warning', async () => {
    const { page, context, problems } = await openAs('admin');
    await open(page, '/upstreams/text');
    await page.getByRole('button', { name: 'Test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Test text' });
    await dialog.getByText('the vendor may charge money for it').waitFor();
    expect(await dialog.getByLabel('Model').inputValue()).toBe('sandbox-chat');
    const outcome = dialog.getByRole('region', { name: 'Outcome' });
    await dialog.getByRole('button', { name: 'Send one request' }).click();
    await outcome.getByText('The upstream works').waitFor();
    await outcome.getByText('200', { exact: true }).waitFor();
    await outcome.getByText(/^\$0\.\d+$/).waitFor();
    await dialog.getByLabel('Operation').selectOption('embedding');
    await dialog.getByRole('button', { name: 'Send another request' }).click();
    await outcome.getByText('embedding', { exact: true }).waitFor();
    await dialog.getByLabel('Model').fill('another-*');
    await dialog.getByRole('button', { name: 'Send another request' }).click();
    await dialog.getByText('model must have a route to this upstream.').waitFor();
    await dialog.getByLabel('Model').fill('team/any-sandbox-chat');
    await dialog.getByRole('button', { name: 'Send one request' }).click();
    await outcome.getByText('team/any-sandbox-chat → sandbox-chat').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(problems.filter((text) => !text.includes('400'))).toEqual([]);
    await context.close();
  });

  it('shows the error of an upstream as text, without its key', async () => {
    const { page, context, problems } = await openAs('operator');
    await open(page, '/upstreams/broken');
    const before = stack.calls();
    await page.getByRole('button', { name: 'Test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Test broken' });
    expect(await dialog.getByLabel('Model').textContent()).toContain(MARKUP);
    expect(stack.calls()).toBe(before);
    await dialog.getByLabel('Model').selectOption(MARKUP);
    await dialog.getByRole('button', { name: 'Send one request' }).click();
    const outcome = dialog.getByRole('region', { name: 'Outcome' });
    await outcome.getByText(`The engine ${MARKUP} is down. The key was`).first().waitFor();
    await outcome.getByText('500', { exact: true }).waitFor();
    expect(stack.calls()).toBe(before + 1);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(await page.content()).not.toContain(BROKEN_KEY);
    await open(page, '/upstreams/vendor');
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('Send a request from the playground instead.').waitFor();
    expect(await page.getByRole('button', { name: /Send/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(problems).toEqual([]);
    await context.close();
  });

  it('filters upstreams in the address, and opens their requests', async () => {
    const { page, context, problems } = await openAs('viewer');
    await open(page, '/upstreams');
    const table = page.getByRole('region', { name: 'Upstreams' });
    await table.getByRole('link', { name: 'rankings' }).waitFor();
    await page.getByLabel('Health').selectOption('paused');
    await table.getByRole('link', { name: 'text', exact: true }).waitFor({ state: 'hidden' });
    expect(searchOf(page)).toEqual({ health: 'paused' });
    await table.getByText(/text: next call in \d min/).waitFor();
    await page.getByLabel('Name').fill('nothing');
    await page.keyboard.press('Enter');
    await page.getByText('No upstream matches these filters').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Kind').selectOption('videos');
    await table.getByRole('link', { name: 'text', exact: true }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Period').selectOption('Last 7 days');
    await table.getByRole('link', { name: '100%' }).click();
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    expect(searchOf(page)).toEqual({ period: '7d', upstream: 'broken', status: 'error' });
    await page.getByRole('cell', { name: 'acme-large' }).first().waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  it('name the credential of a pool that served a request', async () => {
    const { page, context } = await openAs('viewer');
    await open(page, '/requests?model=pooled-chat&status=ok');
    await page
      .getByRole('region', { name: 'Requests', exact: true })
      .getByRole('row')
      .getByRole('link')
      .first()
      .click();
    await page.getByRole('region', { name: 'Attempts' }).getByText('pooled.primary').waitFor();
    await page.getByRole('region', { name: 'Summary' }).getByText('primary', { exact: true }).waitFor();
    await context.close();
  });

  it('shows a viewer no test, and opens upstreams from the overview', async () => {
    const { page, context, problems } = await openAs('viewer');
    await open(page, '/');
    await page.getByRole('region', { name: 'Upstreams' }).getByRole('link', { name: 'broken' }).click();
    await page.getByRole('heading', { name: /^broken Paused/ }).waitFor();
    await page.getByText('The next one is sent in').waitFor();
    expect(await page.getByRole('button', { name: 'Test' }).count()).toBe(0);
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    await link('Configuration of this upstream').click();
    await page.getByRole('cell', { name: 'upstreams.broken.api_key' }).waitFor();
    await page.goBack();
    await link('With prices').click();
    expect(searchOf(page)).toEqual({ upstream: 'broken' });
    await page.goBack();
    await link('Usage of this upstream').click();
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
    expect(searchOf(page)).toEqual({ period: '24h', upstream: 'broken' });
    expect(problems).toEqual([]);
    await context.close();
  });

  it('filters models in the address, and opens their requests, usage, and playground', async () => {
    const { page, context, problems } = await openAs('admin');
    await open(page, '/models?price=no+price');
    const table = page.getByRole('region', { name: 'Models' });
    await table.getByRole('link', { name: MARKUP, exact: true }).waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(await table.getByRole('link', { name: 'gpt-5.1' }).count()).toBe(0);
    await page.getByLabel('Upstream').selectOption('vendor');
    await table.getByRole('link', { name: MARKUP, exact: true }).waitFor({ state: 'hidden' });
    expect(searchOf(page)).toEqual({ price: 'no price', upstream: 'vendor' });
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Name').fill('SANDBOX-CH');
    await page.keyboard.press('Enter');
    await table.getByRole('link', { name: 'test-video' }).waitFor({ state: 'hidden' });
    await table.getByText('$1.25 in · $10.00 out').waitFor();
    await table.getByRole('link', { name: 'Requests of sandbox-chat' }).click();
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    expect(searchOf(page)).toEqual({ model: 'sandbox-chat' });
    await page.goBack();
    await table.getByRole('link', { name: 'Playground with sandbox-chat' }).click();
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
    expect(searchOf(page)).toMatchObject({ mode: 'chat', model: 'sandbox-chat' });
    await page.goBack();
    await table.getByRole('link', { name: 'sandbox-chat', exact: true }).click();
    await page.getByText('$10.00 per million').waitFor();
    await page.getByRole('link', { name: 'Models', exact: true }).first().click();
    await open(page, `/models?show=${encodeURIComponent('team/any-*')}`);
    await page.getByText('This is a pattern.').waitFor();
    expect(await page.getByRole('link', { name: /^Requests of/ }).count()).toBe(0);
    await open(page, '/models?show=gpt-image-1');
    await page.getByText('Image, 1024x1024, high').waitFor();
    await open(page, `/models?show=${encodeURIComponent(MARKUP)}`);
    await page.getByText('This route has no price.').waitFor();
    await open(page, '/models?show=unknown');
    await page.getByText('No such model').waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  it('shows the changes of the file, and what is wrong in it', async () => {
    const { page, context, problems } = await openAs('viewer');
    const phone = await openAs('viewer', WIDTHS.phone);
    const original = await readFile(configFile(), 'utf8');
    const shoot = async (name: string): Promise<void> => {
      for (const [width, visitor] of Object.entries({ desktop: page, phone: phone.page })) {
        await takeScreenshot(visitor, `${name}-${width}`);
        await expectAccessible(visitor);
      }
    };
    try {
      await open(page, '/configuration?section=log');
      await open(phone.page, '/configuration?section=log');
      await page.getByText('The running configuration is that of the file').waitFor();
      // The cast is safe because the test wrote the file.
      const config = JSON.parse(original) as { server?: object; console?: object; ledger?: object };
      const changed = {
        ...config,
        server: { ...config.server, secret: 'sk-changed-6006-is-32-characters-long' },
        console: { ...config.console, session_ms: 3_600_000 },
        ledger: { ...config.ledger, url: `postgres://127.0.0.1/${MARKUP}` },
      };
      await writeFile(configFile(), JSON.stringify(changed));
      for (const visitor of [page, phone.page]) await visitor.getByText('3 changes are not applied yet').waitFor();
      const list = page.getByRole('region', { name: 'Changes' });
      await list.getByText('console.session_ms').waitFor();
      await list.getByText('server.secret').waitFor();
      expect(await page.locator('img[src="x"]').count()).toBe(0);
      expect(await page.content()).not.toContain('sk-changed-6006');
      await shoot('configuration-changed');
      await writeFile(configFile(), 'keys:\n  - name: a\n    key: a-long-secret-key\nlog:\n  level: inof\n');
      for (const visitor of [page, phone.page]) await visitor.getByText('The file is invalid').waitFor();
      await page.getByText('inof is not a known value; did you mean info?').waitFor();
      await page.getByText('line 5, column 10').waitFor();
      expect(await page.content()).not.toContain('a-long-secret-key');
      await shoot('configuration-invalid');
      await writeFile(configFile(), original);
      await page.getByText('The running configuration is that of the file').waitFor();
    } finally {
      await writeFile(configFile(), original);
    }
    expect([...problems, ...phone.problems]).toEqual([]);
    await Promise.all([context.close(), phone.context.close()]);
  });

  it('finds fields of the running configuration, without secrets', async () => {
    const { page, context, problems } = await openAs('operator');
    await open(page, '/configuration');
    await page.getByRole('heading', { name: 'routing' }).click();
    await page.getByText('failures: 3').waitFor();
    await page.getByLabel('Section').selectOption('upstreams');
    await page.getByRole('group', { name: 'upstreams as YAML' }).waitFor();
    expect(searchOf(page)).toEqual({ section: 'upstreams' });
    const texts = (await page.content()) + page.url();
    for (const secret of [KEY, VENDOR_KEY, BROKEN_KEY, ADMIN_KEY]) expect(texts).not.toContain(secret);
    await page.getByLabel('Find').fill('max_in_flight');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /upstreams\.vendor\.max_in_flight 8/ }).waitFor();
    await page.getByLabel('Section').selectOption('');
    await page.getByLabel('Find').fill('dir');
    await page.getByRole('row', { name: `content.dir ${path.join(stack.dir, 'data/content')}` }).waitFor();
    expect(await page.getByRole('cell', { name: /dataDir|contentDir/ }).count()).toBe(0);
    await page.getByText(`Data folder ${path.join(stack.dir, 'data')}, from SLUICE_DATA_DIR`).waitFor();
    await page.getByLabel('Find').fill('no such field');
    await page.keyboard.press('Enter');
    await page.getByText('No field matches').waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  it('hides these screens from the holder of a key', async () => {
    const { page, context, problems } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    await signIn(page, stack.origin, KEY);
    for (const name of ['Upstreams', 'Models', 'Configuration']) {
      expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0);
    }
    const statuses = ['upstreams', 'models', 'configuration'].map(async (name) => {
      return (await context.request.get(`${stack.origin}/admin/v1/${name}`)).status();
    });
    expect(await Promise.all(statuses)).toEqual([401, 401, 401]);
    for (const at of ['/upstreams', '/upstreams/text', '/models', '/configuration']) {
      await open(page, at);
      await page.getByText('This screen is for operators').waitFor();
    }
    expect(problems).toEqual([]);
    await context.close();
  });
});
