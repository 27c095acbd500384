import { describe, expect, it, vi } from 'vitest';
import { KEY } from '../stack.ts';
import { CHROMIUM, expectAccessibleLooks, openPage, signIn, WIDTHS } from './browser.ts';
import { MARKUP } from './console-stack.ts';
import { searchOf, useUpstreamsScreens } from './upstreams-screens.ts';
import { BROKEN_KEY } from './upstreams-stack.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const title = `upstreams, models, and configuration${CHROMIUM ? '' : ' [skipped: Chromium is not installed]'}`;

describe.skipIf(CHROMIUM === undefined)(title, () => {
  const { stack, browser, open, openAs } = useUpstreamsScreens();

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
    const before = stack().calls();
    await page.getByRole('button', { name: 'Test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Test broken' });
    expect(await dialog.getByLabel('Model').textContent()).toContain(MARKUP);
    expect(stack().calls()).toBe(before);
    await dialog.getByLabel('Model').selectOption(MARKUP);
    await dialog.getByRole('button', { name: 'Send one request' }).click();
    const outcome = dialog.getByRole('region', { name: 'Outcome' });
    await outcome.getByText(`The engine ${MARKUP} is down. The key was`).first().waitFor();
    await outcome.getByText('500', { exact: true }).waitFor();
    expect(stack().calls()).toBe(before + 1);
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

  it('hides these screens from the holder of a key', async () => {
    const { page, context, problems } = await openPage(browser(), { width: WIDTHS.desktop, theme: 'light' });
    await signIn(page, stack().origin, KEY);
    for (const name of ['Upstreams', 'Models', 'Configuration']) {
      expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0);
    }
    const statuses = ['upstreams', 'models', 'configuration'].map(async (name) => {
      return (await context.request.get(`${stack().origin}/admin/v1/${name}`)).status();
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
