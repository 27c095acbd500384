import { type OtlpReceiver, startOtlpReceiver } from '@sluice/testkit';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { KEY, type Stack, startStack, VENDOR_KEY } from '../stack.ts';
import { launchBrowser, openPage, openSession, WIDTHS } from './browser.ts';
import { ADMIN_KEY, prepareConsole } from './console-stack.ts';

const LOOK = { width: WIDTHS.desktop, theme: 'light' } as const;
const TRACE_URL = 'https://traces.example.com/trace/{trace_id}';
const HELLO = { role: 'user', content: 'Hello there.' };

export const rows = (page: Page): Locator => page.getByRole('region', { name: 'Requests' }).locator('tbody tr');
export const follow = (page: Page): Locator => page.getByRole('switch', { name: 'Follow' });

/** Starts a gateway with some requests, and a browser, for the surrounding `describe`. */
export function useRequestsScreen() {
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

  return { stack: () => stack, send, say, listed, visit, open };
}

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
