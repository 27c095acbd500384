import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { KEY, type Stack, startStack, VENDOR_KEY } from '../stack.ts';

const UPSTREAMS = { responses: '/v1', 'chat-completions': '/v1', 'generative-content': '/v1beta' } as const;
const PDF = `%PDF-1.4 ${'x'.repeat(3_000_000)}`;

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({
    workers: 1,
    configFor: (sandboxUrl) => ({
      upstreams: Object.fromEntries(
        Object.entries(UPSTREAMS).map(([kind, path]) => {
          const account = { kind, base_url: sandboxUrl + path, api_key: VENDOR_KEY, quirks: { files: true } };
          return [kind, account];
        }),
      ),
      models: Object.keys(UPSTREAMS).map((kind) => ({ id: kind, routes: [{ upstream: kind, model: 'sandbox-chat' }] })),
    }),
    config: { files: { vendor_upload_bytes: 1_000_000 } },
  });
  client = new Client(stack.origin, KEY);
});
afterAll(() => stack.close());

async function upload(): Promise<string> {
  const body = new FormData();
  body.append('purpose', 'user_data');
  body.append('file', new Blob([PDF], { type: 'application/pdf' }), 'a.pdf');
  const response = await client.fetch('/v1/files', { method: 'POST', body });
  // The cast is safe because every created file has an id.
  return ((await response.json()) as { id: string }).id;
}

async function send(model: string, file_id: string): Promise<void> {
  const content = [
    { type: 'text', text: 'read it' },
    { type: 'file', file: { file_id } },
  ];
  const response = await client.fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content }] }),
  });
  expect(response.status, await response.text()).toBe(200);
}

/** Returns the number of files that the vendor stores. */
async function stored(kind: keyof typeof UPSTREAMS): Promise<number> {
  const headers =
    kind === 'generative-content' ? { 'x-goog-api-key': VENDOR_KEY } : { authorization: `Bearer ${VENDOR_KEY}` };
  const response = await fetch(`${stack.sandboxUrl}${UPSTREAMS[kind]}/files`, { headers });
  // The cast is safe because the vendors list files in one of these fields.
  const { data, files = data ?? [] } = (await response.json()) as { data?: unknown[]; files?: unknown[] };
  return files.length;
}

describe('a large file', () => {
  it.each(['responses', 'chat-completions', 'generative-content'] as const)(
    'is uploaded once to %s, and deleted there after it is deleted',
    async (kind) => {
      const id = await upload();
      await Promise.all([send(kind, id), send(kind, id)]);
      await send(kind, id);
      expect(await stored(kind)).toBe(1);
      expect((await client.fetch(`/v1/files/${id}`, { method: 'DELETE' })).status).toBe(200);
      await expect.poll(() => stored(kind)).toBe(0);
    },
  );
});
