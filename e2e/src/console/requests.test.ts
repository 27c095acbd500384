import { readFile } from 'node:fs/promises';
import { type OtlpReceiver, startOtlpReceiver } from '@sluice/testkit';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { KEY, OTHER_KEY, type Stack, startStack, VENDOR_KEY } from '../stack.ts';
import {
  CHROMIUM,
  expectAccessible,
  expectAccessibleLooks,
  launchBrowser,
  openPage,
  openSession,
  takeScreenshot,
  WIDTHS,
} from './browser.ts';
import { ADMIN_KEY, prepareConsole } from './console-stack.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const LOOK = { width: WIDTHS.desktop, theme: 'light' } as const;
const TRACE_URL = 'https://traces.example.com/trace/{trace_id}';

const rows = (page: Page): Locator => page.getByRole('region', { name: 'Requests' }).locator('tbody tr');
const follow = (page: Page): Locator => page.getByRole('switch', { name: 'Follow' });

/** Counts the requests of the list, when it has loaded. */
async function countRows(page: Page): Promise<number> {
  await rows(page).getByRole('link').first().waitFor();
  return rows(page).count();
}

/** Waits until the list shows this number of requests. */
const shows = (page: Page, count: number) => expect.poll(() => rows(page).count()).toBe(count);

describe.skipIf(CHROMIUM === undefined)('the requests screen and its live data', () => {
  let stack: Stack;
  let collector: OtlpReceiver;
  let browser: Browser;
  beforeAll(async () => {
    await prepareConsole();
    collector = await startOtlpReceiver();
    [stack, browser] = await Promise.all([startRequestsStack(collector.url), launchBrowser()]);
    for (let sent = 0; sent < 12; sent += 1) await say(`user-${sent % 3}`);
    await send('/v1/messages', { model: 'translated', max_tokens: 20, top_k: 7, stream: true, messages: [HELLO] });
    await send('/v1/chat/completions', { model: 'no-such-model', messages: [HELLO] });
    await send('/v1beta/models/sandbox-chat:generateContent', { contents: [{ parts: [{ text: 'Hello there.' }] }] });
    await vi.waitUntil(async () => (await listed('')).length >= 15, { timeout: 60_000, interval: 200 });
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
    await collector?.close();
  });

  const HELLO = { role: 'user', content: 'Hello there.' };

  async function send(at: string, body: unknown, key = KEY): Promise<void> {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    };
    await (await fetch(stack.origin + at, { method: 'POST', headers, body: JSON.stringify(body) })).text();
  }
  const say = (user: string, key = KEY) =>
    send('/v1/chat/completions', { model: 'sandbox-chat', user, messages: [HELLO] }, key);

  async function listed(query: string): Promise<string[]> {
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const response = await fetch(`${stack.origin}/v1/requests?limit=100&${query}`, { headers });
    // The cast is safe because this is the list's documented form.
    return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
  }

  async function visit(key: string, run: (page: Page, problems: string[]) => Promise<void>): Promise<void> {
    const { page, context, problems } = await openPage(browser, LOOK);
    page.setDefaultTimeout(15_000);
    try {
      await openSession(page, stack.origin, key);
      await run(page, problems);
      expect(problems).toEqual([]);
    } finally {
      await context.close();
    }
  }

  const open = (page: Page, at: string) => page.goto(`${stack.origin}/console/${at}`);
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
    const response = await fetch(`${stack.origin}/admin/v1/keys`, {
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

/** A gateway whose model `translated` has a first upstream that is away, and speaks another protocol than its client. */
function startRequestsStack(collectorUrl: string): Promise<Stack> {
  return startStack({
    apiEnv: {
      SLUICE_ADMIN_KEY: ADMIN_KEY,
      OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
      OTEL_TRACES_SAMPLER: 'always_on',
    },
    config: { console: { trace_url: TRACE_URL } },
    configFor: (url) => ({
      upstreams: {
        // Port 9 discards, and nothing listens there.
        away: { kind: 'chat-completions', base_url: 'http://127.0.0.1:9/v1', api_key: VENDOR_KEY },
        text: { kind: 'chat-completions', base_url: `${url}/v1`, api_key: VENDOR_KEY },
      },
      models: [
        { id: 'sandbox-chat', routes: [{ upstream: 'text', model: 'sandbox-chat' }], price: { input: 1, output: 5 } },
        {
          id: 'translated',
          routes: ['away', 'text'].map((upstream) => ({ upstream, model: 'sandbox-chat' })),
          price: { input: 1, output: 5 },
        },
      ],
    }),
  });
}
