import { readFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { KEY } from '../stack.ts';
import { CHROMIUM, expectAccessible } from './browser.ts';
import { ADMIN_KEY } from './console-stack.ts';
import { rows, useRequestsScreen } from './requests-screen.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

describe.skipIf(CHROMIUM === undefined)('the requests screen and its live data', () => {
  const { listed, visit, open } = useRequestsScreen();

  it('filters by each field, and downloads the filtered list', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await open(page, 'requests?period=1h');
      await rows(page).first().waitFor();
      for (const [label, value, name] of [
        ['API key', 'nobody', 'key'],
        ['Upstream', 'nowhere', 'upstream'],
        ['End user', 'nobody', 'user'],
        ['Label', 'team=none', 'label'],
        ['Cost from', '999', 'min_cost_usd'],
        ['Duration from', '9999999', 'min_duration_ms'],
        ['First event from', '9999999', 'min_first_event_ms'],
      ] as const) {
        await page.getByLabel(label, { exact: true }).fill(value);
        await page.keyboard.press('Enter');
        await page.getByText('No request matches these filters').waitFor();
        expect(new URL(page.url()).searchParams.get(name)).toBe(value);
        expect(await page.getByText('as requests show it: by default, a hash').count()).toBe(name === 'user' ? 1 : 0);
        await page.getByRole('button', { name: 'Clear', exact: true }).click();
        await rows(page).first().waitFor();
      }
      await page.getByLabel('Status', { exact: true }).selectOption('error');
      await page.getByRole('cell', { name: 'no-such-model' }).waitFor();
      for (const format of ['CSV', 'JSON'] as const) {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: format, exact: true }).click(),
        ]);
        const text = await readFile(await download.path(), 'utf8');
        expect(download.suggestedFilename()).toBe(`requests.${format.toLowerCase()}`);
        const errors = await listed('status=error');
        if (format === 'CSV') expect(text.trimEnd().split('\r\n')).toHaveLength(errors.length + 1);
        // The cast is safe because this is the export's documented form.
        else expect((JSON.parse(text) as { data: unknown[] }).data).toHaveLength(errors.length);
      }
    });
  });

  it('applies a text after a pause in typing, with one entry of the history', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await open(page, 'requests?period=1h');
      await rows(page).first().waitFor();
      const model = page.getByLabel('Model', { exact: true });
      const shown = () => new URL(page.url()).searchParams.get('model');
      await model.pressSequentially('no-such');
      await page.getByText('No request matches these filters').waitFor();
      expect(shown()).toBe('no-such');
      await model.pressSequentially('-model');
      await page.getByRole('cell', { name: 'no-such-model' }).waitFor();
      await expect.poll(shown).toBe('no-such-model');
      expect(await model.inputValue()).toBe('no-such-model');
      await page.goBack();
      await expect.poll(shown).toBeNull();
      await expect.poll(() => model.inputValue()).toBe('');
      await page.goForward();
      await expect.poll(() => model.inputValue()).toBe('no-such-model');
      await page.getByRole('button', { name: 'Clear', exact: true }).click();
      await expect.poll(() => model.inputValue()).toBe('');
    });
  });

  it('says how to write a label instead of applying a half of it', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await page.clock.install();
      await open(page, 'requests?period=1h');
      const shown = () => new URL(page.url()).searchParams.get('label');
      await page.getByLabel('Label', { exact: true }).pressSequentially('team');
      await page.clock.runFor(5_000);
      expect(shown()).toBeNull();
      await page.keyboard.press('Enter');
      await page.getByRole('alert').filter({ hasText: 'Enter a label as name=value' }).waitFor();
      expect(shown()).toBeNull();
      await expectAccessible(page);
      await page.getByLabel('Label', { exact: true }).pressSequentially('=none');
      await page.clock.runFor(5_000);
      await expect.poll(shown).toBe('team=none');
      // A link with half of a label opens the list without it.
      await open(page, 'requests?period=1h&label=team');
      await rows(page).first().waitFor();
      expect(await page.getByLabel('Label', { exact: true }).inputValue()).toBe('');
    });
  });

  it('links a request to its model, upstream, and key', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await open(page, 'requests?period=1h&model=translated');
      await rows(page).getByRole('link').first().click();
      const summary = page.getByRole('region', { name: 'Summary' });
      for (const [name, at, heading] of [
        ['translated', '/console/models', 'translated'],
        ['text', '/console/upstreams/text', /^text/],
        ['client', '/console/keys/client', /^client/],
      ] as const) {
        await summary.getByRole('link', { name, exact: true }).click();
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        expect(new URL(page.url()).pathname).toBe(at);
        await page.goBack();
      }
      await open(page, 'requests?period=1h&model=no-such-model');
      await rows(page).getByRole('link').first().click();
      await summary.getByText('no-such-model').waitFor();
      expect(await summary.getByRole('link').allTextContents()).toEqual(['client']);
    });
    await visit(KEY, async (page) => {
      await open(page, 'requests?period=1h&model=translated');
      await rows(page).getByRole('link').first().click();
      const summary = page.getByRole('region', { name: 'Summary' });
      await summary.getByText('text', { exact: true }).waitFor();
      expect(await summary.getByRole('link').allTextContents()).toEqual(['translated', 'client']);
      await summary.getByRole('link', { name: 'client' }).click();
      await page.getByRole('heading', { level: 1, name: /^client/ }).waitFor();
    });
  });

  it('names endpoints as the API reference does, also in filters', async () => {
    await visit(ADMIN_KEY, async (page) => {
      const endpoint = 'POST /v1beta/models/{model}:generateContent';
      await open(page, 'requests?period=1h');
      await rows(page).getByText(endpoint).waitFor();
      await open(page, 'usage?by=endpoint&metric=requests');
      await page.getByRole('cell', { name: endpoint }).waitFor();
      await page.getByLabel('Endpoint', { exact: true }).fill(endpoint);
      await page.getByRole('cell', { name: 'POST /v1/messages' }).waitFor({ state: 'detached' });
      await page.getByRole('cell', { name: endpoint }).waitFor();
      expect(new URL(page.url()).searchParams.get('endpoint')).toBe(endpoint);
    });
  });

  it('shows the attempts, lost fields, and the trace of a request to operators', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await open(page, 'requests?period=1h&model=translated');
      await rows(page).getByRole('link').first().click();
      const attempts = page.getByRole('region', { name: 'Attempts' });
      await attempts.getByText('Before the first call').waitFor();
      for (const text of ['away', 'text', 'Response'])
        await attempts.getByText(text, { exact: true }).first().waitFor();
      const link = page.getByRole('link', { name: 'Open the trace' });
      expect(await link.getAttribute('href')).toMatch(/^https:\/\/traces\.example\.com\/trace\/[0-9a-f]{32}$/);
      await page.getByRole('button', { name: 'Copy trace id' }).waitFor();
    });
    await visit(KEY, async (page) => {
      await open(page, 'requests?period=1h&model=translated');
      await rows(page).getByRole('link').first().click();
      await page.getByRole('button', { name: 'Copy trace id' }).waitFor();
      expect(await page.getByRole('link', { name: 'Open the trace' }).count()).toBe(0);
    });
  });

  it('opens the list behind each number of the overview', async () => {
    await visit(ADMIN_KEY, async (page) => {
      await open(page, '?period=1h');
      await page.getByRole('link', { name: /^Errors \d+ \d+\.\d% of requests$/ }).waitFor();
      for (const [name, filters] of [
        [/^Requests \d/, { type: 'request' }],
        [/^Errors/, { status: 'error' }],
        [/^First event, p50/, { status: 'ok', min_first_event_ms: expect.stringMatching(/^\d+$/) as string }],
        [/^First event, p95/, { status: 'ok', min_first_event_ms: expect.stringMatching(/^\d+$/) as string }],
        [/^Tokens/, { type: 'request' }],
        [/^Cost/, { min_cost_usd: '0.000000001' }],
      ] as const) {
        await open(page, '?period=1h');
        await page.getByText(/Newest \d+ requests/).waitFor();
        await page.getByRole('link', { name }).click();
        await rows(page).first().waitFor();
        expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ period: '1h', ...filters });
      }
    });
  });
});
