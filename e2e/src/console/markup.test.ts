import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FAST_TASKS, KEY, type Stack, startStack, VENDOR_KEY } from '../stack.ts';
import { CHROMIUM, launchBrowser, openPage, signIn, WIDTHS } from './browser.ts';
import { ADMIN_KEY, prepareConsole } from './console-stack.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

/** Each would run a script or add an element if it were inserted as HTML. */
const IMAGE = '<img src=x onerror="window.hacked=1">';
const PAYLOAD = `"'><svg onload=window.hacked=1></svg><iframe src="javascript:parent.hacked=1"></iframe>${IMAGE}`;
const MODEL = '<img/src=x/onerror=window.hacked=1>';
const KEY_NAME = '<b onmouseover=hacked=1>key</b>';

async function startBrokenVendor(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    request.resume();
    const error = { message: `The engine ${PAYLOAD} is down.`, type: 'invalid_request_error', code: IMAGE };
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The server listens on a port.
  return { server, url: `http://127.0.0.1:${port}/v1` };
}

/** No script ran, and no element of a payload is in the page. */
async function expectText(page: Page): Promise<void> {
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  const injected = 'img[src="x"], svg[onload], iframe, [onerror], [onmouseover], script:not([src])';
  expect(await page.locator(injected).count(), page.url()).toBe(0);
}

describe.skipIf(CHROMIUM === undefined)(`markup${CHROMIUM ? '' : ' [skipped: Chromium is not installed]'}`, () => {
  let stack: Stack;
  let browser: Browser;
  let vendor: { server: Server; url: string };
  const tasks: string[] = [];

  const send = async (path: string, key: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${stack.origin}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { id?: string }; // Every response is an object.
  };

  beforeAll(async () => {
    await prepareConsole();
    vendor = await startBrokenVendor();
    const api_key = 'sk-broken-secret-7007';
    [stack, browser] = await Promise.all([
      startStack({
        apiEnv: { SLUICE_ADMIN_KEY: ADMIN_KEY },
        config: { tasks: FAST_TASKS },
        configFor: (url) => ({
          upstreams: {
            text: { kind: 'chat-completions', base_url: `${url}/v1`, api_key: VENDOR_KEY },
            broken: { kind: 'chat-completions', base_url: vendor.url, api_key },
            films: { kind: 'videos', base_url: vendor.url, api_key },
          },
          models: [
            { id: 'sandbox-chat', routes: [{ upstream: 'text', model: 'sandbox-chat' }] },
            { id: MODEL, routes: [{ upstream: 'broken', model: IMAGE }] },
            { id: 'broken-video', routes: [{ upstream: 'films', model: 'large' }] },
          ],
        }),
      }),
      launchBrowser(),
    ]);
    const messages = [{ role: 'user', content: PAYLOAD }];
    const labels = { 'x-sluice-labels': `team=${encodeURIComponent(IMAGE)}` };
    for (const model of ['sandbox-chat', MODEL, PAYLOAD]) {
      await send('/v1/chat/completions', KEY, { model, user: IMAGE, messages });
      await send('/v1/chat/completions', KEY, { model, user: IMAGE, messages }, labels);
    }
    for (const model of ['test-video', 'broken-video']) {
      const { id } = await send('/v1/videos', KEY, { model, prompt: PAYLOAD });
      if (id !== undefined) tasks.push(id);
    }
    await send('/v1/webhooks', KEY, { url: `https://hooks.example/${PAYLOAD}`, name: IMAGE, description: IMAGE });
    await send('/v1/webhooks', KEY, { url: 'https://hooks.example/?q=<img src=x onerror=hacked=1>' });
    await send('/admin/v1/keys', ADMIN_KEY, { name: KEY_NAME, labels: { team: IMAGE } });
    await send('/admin/v1/keys', ADMIN_KEY, { name: 'plain' });
    await send(`/admin/v1/keys/${encodeURIComponent(IMAGE)}/rotate`, ADMIN_KEY, {});
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
    vendor?.server.close();
  });

  /** Opens every screen. @returns the text of all */
  async function tour(page: Page, screens: readonly string[]): Promise<string> {
    let texts = '';
    for (const screen of screens) {
      await page.goto(`${stack.origin}/console/${screen}`);
      await page.locator('main h1, main h2, main [role=alert]').first().waitFor();
      await page.waitForLoadState('networkidle');
      await expectText(page);
      texts += await page.locator('main').textContent();
    }
    return texts;
  }

  async function screensOf(): Promise<string[]> {
    const headers = { authorization: `Bearer ${KEY}` };
    const { data } = (await (await fetch(`${stack.origin}/v1/requests?limit=100`, { headers })).json()) as {
      data: { id: string }[]; // The response is a list.
    };
    return [
      '',
      'requests',
      'tasks',
      'tasks?view=board',
      'gallery',
      'batches',
      'groups',
      'usage?by=model',
      'usage?by=user',
      'keys',
      'keys/client',
      'webhooks',
      'upstreams',
      'upstreams/broken',
      'models',
      `models?show=${encodeURIComponent(MODEL)}`,
      'configuration',
      'audit',
      'setup',
      'sessions',
      'playground',
      `keys/${encodeURIComponent(KEY_NAME)}`,
      ...data.map(({ id }) => `requests/${encodeURIComponent(id)}`),
      ...tasks.map((id) => `tasks/${id}`),
      ...[
        'requests?model=',
        'audit?target=',
        'tasks?prompt=',
        'batches?model=',
        'groups?key=',
        'batches/',
        'groups/',
        'upstreams/',
        'keys/',
      ].map((at) => at + encodeURIComponent(PAYLOAD)),
    ];
  }

  it.each(Object.entries({ admin: ADMIN_KEY, holder: KEY }))(
    'is text on every screen for the %s, and leaves nothing behind',
    async (role, key) => {
      const headers = { authorization: `Bearer ${KEY}` };
      await expect
        .poll(async () => (await fetch(`${stack.origin}/v1/requests?limit=100`, { headers })).text(), {
          timeout: 60_000,
        })
        .toContain('"type":"task"');
      expect(tasks.length).toBeGreaterThan(0);
      const { page, context, problems } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
      await signIn(page, stack.origin, key);
      const texts = await tour(page, await screensOf());
      // The screens did show them.
      const shown = role === 'admin' ? [PAYLOAD, IMAGE, MODEL] : [PAYLOAD, MODEL];
      for (const text of shown) expect(texts).toContain(text);
      const stored = String(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'));
      for (const secret of [KEY, ADMIN_KEY, VENDOR_KEY, 'window.hacked', 'sk-broken']) {
        expect(stored).not.toContain(secret);
      }
      // Screens of operators and of unknown objects answer with these statuses.
      expect(problems.filter((problem) => !/status of (?:400|401|403|404)/.test(problem))).toEqual([]);
      await context.close();
    },
  );

  it('calls a model with it in the playground, and has it in no address, storage, or log', async () => {
    const { page, context } = await openPage(browser, { width: WIDTHS.desktop, theme: 'light' });
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await signIn(page, stack.origin, KEY);
    await page.goto(`${stack.origin}/console/playground?mode=chat&model=sandbox-chat`);
    const secret = `the prompt of the test ${IMAGE}`;
    await page.getByLabel('Message', { exact: true }).fill(secret);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText(secret).first().waitFor();
    await page.waitForLoadState('networkidle');
    await expectText(page);
    const stored = String(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'));
    const seen = decodeURIComponent(addresses.join('\n')) + stored;
    const logs = await stack.logs();
    for (const text of ['the prompt of the test', KEY, ADMIN_KEY, VENDOR_KEY, 'sk-broken']) {
      expect(seen).not.toContain(text);
      expect(logs).not.toContain(text);
    }
    expect(addresses.some((url) => url.endsWith('/v1/chat/completions'))).toBe(true);
    await context.close();
  });
});
