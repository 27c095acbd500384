import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const BEARER = { authorization: 'Bearer sk-sandbox' };
const CALLS: {
  wire: string;
  url: string;
  headers?: Record<string, string>;
  body: (text: string) => object;
  broken?: number;
  model?: string | null;
  refused?: number;
}[] = [
  { wire: 'embeddings', url: '/v1/embeddings', body: (input) => ({ model: 'm', input: [input, 'more'] }) },
  { wire: 'moderations', url: '/v1/moderations', body: (input) => ({ model: 'm', input }) },
  ...['/v1beta', '/v1'].flatMap((version) => [
    {
      wire: 'generative-content',
      url: `${version}/models/m:embedContent`,
      headers: { 'x-goog-api-key': 'sk-sandbox' },
      body: (text: string) => ({ content: { parts: [{ text }] } }),
      refused: 400,
    },
    {
      wire: 'generative-content',
      url: `${version}/models/m:batchEmbedContents`,
      headers: { 'x-goog-api-key': 'sk-sandbox' },
      body: (text: string) => ({ requests: [{ model: 'models/m', content: { parts: [{ text }] } }] }),
      refused: 400,
    },
  ]),
  { wire: 'cohere', url: '/cohere/v1/rerank', body: (query) => ({ model: 'm', query, documents: ['a'] }) },
  { wire: 'cohere', url: '/cohere/v2/rerank', body: (query) => ({ model: 'm', query, documents: ['a'] }) },
  {
    wire: 'cohere',
    url: '/cohere/v2/embed',
    body: (text) => ({ model: 'm', texts: [text], input_type: 'search_query' }),
  },
  { wire: 'jina', url: '/jina/v1/rerank', body: (query) => ({ model: 'm', query, documents: ['a'] }) },
  { wire: 'jina', url: '/jina/v1/embeddings', body: (text) => ({ model: 'm', input: [text] }) },
  { wire: 'tei', url: '/tei/rerank', body: (query) => ({ query, texts: ['a'] }), broken: 424, model: null },
];

describe.each(CALLS)('$url', ({ wire, url, headers = BEARER, body, broken = 500, model = 'm', refused = 401 }) => {
  function call(text: string, signal?: AbortSignal) {
    return fetch(`${sandbox.url}${url}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body(text)),
      ...(signal && { signal }),
    });
  }

  it('fails twice with [429] and [500], then responds', async () => {
    const responses = [];
    for (let turn = 0; turn < 5; turn += 1) responses.push(await call(`${url} [429] [500]`));
    expect(responses.map(({ status }) => status)).toEqual([429, 429, broken, broken, 200]);
  });

  it('rejects the key, is overloaded, and rejects the text as too long, on every call with the directive', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await call('x [401]')).status).toBe(refused);
      expect((await call('x [overloaded]')).status).toBe(503);
      const tooLong = await call('x [context]');
      expect(tooLong.status).toBeGreaterThanOrEqual(400);
      expect(tooLong.status).toBeLessThan(500);
    }
  });

  it('delays its response and stops when its client disconnects', async () => {
    const firstByteSent = performance.now();
    expect((await call('x [slow:0.2]')).status).toBe(200);
    expect(performance.now() - firstByteSent).toBeGreaterThan(190);
    await expect(call('x [slow:60]', AbortSignal.timeout(100))).rejects.toThrow('timeout');
  });

  it('drops the connection after half of the body, or sends a web page', async () => {
    await expect((await call('x [cut]')).text()).rejects.toThrow('terminated');
    const page = await call('x [garbage]');
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<html>')]);
    expect((await call('x [error]')).status).toBe(broken);
  });

  it('logs its requests', async () => {
    await fetch(`${sandbox.url}/_sandbox/requests?clear=1`);
    await call('noted');
    const { requests } = (await (await fetch(`${sandbox.url}/_sandbox/requests`)).json()) as { requests: unknown[] };
    expect(requests).toMatchObject([{ wire, path: url, model, body: body('noted'), status: 200, left: false }]);
    expect(JSON.stringify(requests)).not.toContain('sk-sandbox');
  });

  it('rejects a body that is not JSON', async () => {
    const response = await fetch(`${sandbox.url}${url}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{',
    });
    expect(response.status).toBe(400);
  });
});
