import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FAST_TASKS, KEY, type Stack, startStack, VENDOR_KEY } from '../stack.ts';
import { ADMIN_KEY, MARKUP, prepareConsole } from './console-stack.ts';

/** The key of an upstream. It must never be shown. */
export const BROKEN_KEY = 'sk-broken-secret-4004';
/** A key that the vendor rejects. */
const REVOKED_KEY = 'sk-revoked-secret-6006';

export interface UpstreamsStack extends Stack {
  /** Requests that the broken vendor received. */
  calls: () => number;
}

/**
 * A stack whose upstreams are healthy (`text`), broken (`broken`, with an open circuit), idle (`openai`, `rankings`),
 * without a credential (`unset`), for videos (`vendor`), and busy (`busy`), and have a pool with a rejected credential
 * (`pooled`).
 */
export async function startUpstreamsStack(): Promise<UpstreamsStack> {
  await prepareConsole();
  let calls = 0;
  const vendor = createServer((request, response) => {
    calls += 1;
    request.resume();
    if (request.url?.endsWith('/videos')) return sendBusy(response);
    const error = { message: `The engine ${MARKUP} is down. The key was ${BROKEN_KEY}.`, type: 'server_error' };
    return response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  });
  const broken = await listen(vendor);
  const stack = await startStack({
    apiEnv: { SLUICE_ADMIN_KEY: ADMIN_KEY },
    config: {
      tasks: { ...FAST_TASKS, retry_max_ms: 600_000 },
      routing: { failures: 3, open_ms: 600_000, max_open_ms: 600_000 },
    },
    upstream: { max_in_flight: 8 },
    configFor: (url) => ({ upstreams: upstreamsOf(url, broken), models: MODELS }),
  });
  await sendRequests(stack.baseUrl);
  const close = async (): Promise<void> => {
    await stack.close();
    vendor.closeAllConnections();
    vendor.close();
  };
  return { ...stack, calls: () => calls, close };
}

function upstreamsOf(sandboxUrl: string, brokenUrl: string): Record<string, unknown> {
  return {
    text: {
      kind: 'chat-completions',
      base_url: `${sandboxUrl}/v1`,
      api_key: VENDOR_KEY,
      headers: { 'x-team': 'search' },
    },
    broken: { kind: 'chat-completions', base_url: `${brokenUrl}/v1`, api_key: BROKEN_KEY },
    pooled: {
      kind: 'chat-completions',
      base_url: `${sandboxUrl}/v1`,
      credentials: [
        { name: 'primary', api_key: VENDOR_KEY, weight: 2, rpm: 500, max_in_flight: 20, budget: { usd: 50 } },
        { name: 'revoked', api_key: REVOKED_KEY },
      ],
    },
    busy: { kind: 'videos', base_url: `${brokenUrl}/v1`, api_key: BROKEN_KEY },
    // These tests only read the prices of this upstream.
    openai: { kind: 'responses', base_url: 'https://api.openai.com/v1', api_key: 'sk-openai-secret-5005' },
    rankings: { kind: 'cohere', base_url: `${sandboxUrl}/cohere`, api_key: VENDOR_KEY },
    unset: { kind: 'messages', base_url: 'https://api.anthropic.com/v1', api_key: '${SLUICE_E2E_UNSET_KEY}' },
  };
}

const MODELS = [
  { id: 'sandbox-chat', routes: [{ upstream: 'text', model: 'sandbox-chat' }], price: { input: 1.25, output: 10 } },
  {
    id: 'always-answers',
    strict: true,
    routes: [
      { upstream: 'broken', model: 'large' },
      { upstream: 'text', model: 'sandbox-chat' },
    ],
  },
  { id: 'pooled-chat', routes: [{ upstream: 'pooled', model: 'sandbox-chat' }] },
  { id: 'acme-large', routes: [{ upstream: 'broken', model: 'large' }] },
  { id: MARKUP, routes: [{ upstream: 'broken', model: `${MARKUP}-large` }] },
  { id: 'popular-video', routes: [{ upstream: 'busy', model: 'large' }] },
  { id: 'gpt-5.1', routes: [{ upstream: 'openai', model: 'gpt-5.1' }] },
  { id: 'gpt-image-1', routes: [{ upstream: 'openai', model: 'gpt-image-1' }], price: { image: 0.04, image_prices: [{ size: '1024x1024', quality: 'high', usd: 0.17 }] } }, // prettier-ignore
  { id: 'team/any-*', routes: [{ upstream: 'text', model: '*' }] },
  { id: 'needs-a-key', routes: [{ upstream: 'unset', model: 'claude' }] },
];

function sendBusy(response: ServerResponse): ServerResponse {
  const error = { message: 'Too many videos.', type: 'rate_limit_error', code: 'rate_limit_exceeded' };
  const headers = { 'content-type': 'application/json', 'retry-after': '600' };
  return response.writeHead(429, headers).end(JSON.stringify({ error }));
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The server listens on a port.
  return `http://127.0.0.1:${port}`;
}

async function sendRequests(baseUrl: string): Promise<void> {
  const chat = (model: string, content = 'Hello there.') =>
    post(`${baseUrl}/chat/completions`, { model, messages: [{ role: 'user', content }] });
  // Some of these conversations begin with the rejected credential.
  for (let sent = 0; sent < 12; sent += 1) await chat('pooled-chat', `Conversation ${sent}.`);
  for (let sent = 0; sent < 12; sent += 1) await chat('sandbox-chat');
  for (let sent = 0; sent < 4; sent += 1) await chat('acme-large');
  await chat('always-answers');
  for (const model of ['test-video', 'popular-video'])
    await post(`${baseUrl}/videos`, { model, prompt: 'A paper boat.' });
}

async function post(url: string, body: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).text();
}
