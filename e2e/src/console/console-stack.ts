import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { KEY, type Stack, startStack, VENDOR_KEY } from '../stack.ts';
import { ROOT } from '../processes.ts';

export const ADMIN_KEY = 'an admin key for the console';
/** Must be shown as text. */
export const MARKUP = '<img/src=x>';

/** Builds the console if its sources have changed. */
export async function prepareConsole(): Promise<void> {
  const { buildConsole, isConsoleBuilt } = (await import(path.join(ROOT, 'scripts/lib/build-console.mjs'))) as {
    buildConsole: (root: string) => Promise<void>;
    isConsoleBuilt: (root: string) => boolean; // The casts are safe because these are the module's functions.
  };
  if (!isConsoleBuilt(ROOT)) await buildConsole(ROOT);
}

/** A stack with the built console, and with some requests in its ledger. */
export async function startConsoleStack(): Promise<Stack> {
  await prepareConsole();
  const stack = await startStack({
    apiEnv: { SLUICE_ADMIN_KEY: ADMIN_KEY },
    configFor: (url) => ({
      upstreams: { text: { kind: 'chat-completions', base_url: `${url}/v1`, api_key: VENDOR_KEY } },
      models: [
        {
          id: 'sandbox-chat',
          routes: [{ upstream: 'text', model: 'sandbox-chat' }],
          price: { input: 1, output: 5 },
        },
      ],
    }),
  });
  await sendRequests(stack.baseUrl);
  return stack;
}

async function sendRequests(baseUrl: string): Promise<void> {
  const chat = (model: string, user: string) =>
    post(`${baseUrl}/chat/completions`, { model, user, messages: [{ role: 'user', content: 'Hello there.' }] });
  for (let sent = 0; sent < 24; sent += 1) await chat('sandbox-chat', `user-${sent % 3}`);
  await chat('no-such-model', 'user-1');
  await chat('another-model', 'user-2');
  await post(`${baseUrl}/videos`, { model: 'test-video', prompt: 'A paper boat.' });
}

async function post(url: string, body: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).text();
}

/** Waits until the ledger has the entries of all requests and of the video. */
export async function waitForLedger(origin: string): Promise<void> {
  for (const until = Date.now() + 60_000; Date.now() < until;) {
    const response = await fetch(`${origin}/v1/requests?limit=100`, { headers: { authorization: `Bearer ${KEY}` } });
    // The cast is safe because this is the list's documented form.
    const { data } = (await response.json()) as { data: { type: string }[] };
    if (data.length >= 28 && data.some(({ type }) => type === 'task')) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('The ledger has no entries.');
}

/** Starts a proxy that serves the stack below `/team/gateway`. @returns its server and the URL with the prefix */
export async function startPrefixProxy(origin: string): Promise<{ server: Server; url: string }> {
  const prefix = '/team/gateway';
  const server = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    if (!url.startsWith(prefix)) return outgoing.writeHead(404).end();
    const target = new URL(url.slice(prefix.length), origin);
    const sent = httpRequest(target, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The server listens on a port.
  return { server, url: `http://127.0.0.1:${port}${prefix}` };
}
