import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { type TextRig, textRig } from '../../test/text-rig.ts';
import { type FilesVendor, filesVendor } from '../../test/files/files-vendor.ts';

const UPSTREAMS = ['chat-completions', 'responses', 'messages', 'generative-content'] as const;
const PDF = `%PDF-1.4 ${'large '.repeat(500)}`;
const PNG = `\x89PNG\r\n\x1A\n${'large '.repeat(500)}`;

let vendor: FilesVendor;
let rig: TextRig;
beforeAll(async () => {
  vendor = await filesVendor();
  const account = (kind: string, more = {}) => ({
    kind,
    base_url: vendor.url,
    api_key: 'sk-vendor',
    quirks: { files: true },
    ...more,
  });
  const pool = ['one', 'two'].map((name) => ({ name, api_key: `sk-${name}` }));
  const { api_key: _key, ...pooled } = account('responses');
  rig = await textRig(
    {
      upstreams: {
        ...Object.fromEntries(UPSTREAMS.map((kind) => [kind, account(kind)])),
        pool: { ...pooled, credentials: pool },
        plain: account('messages', { quirks: { files: false } }),
      },
      models: [...UPSTREAMS, 'pool', 'plain'].map((id) => ({ id, routes: [{ upstream: id, model: 'theirs' }] })),
      files: { vendor_upload_bytes: 2_000 },
    },
    { redisTimeoutMs: 5_000 },
  );
});
afterAll(async () => {
  await rig.close();
  await vendor.close();
});
beforeEach(() => {
  for (const list of [vendor.uploads, vendor.requests, vendor.deleted]) list.length = 0;
  vendor.beforeStore = () => Promise.resolve();
});

async function upload(content = PDF, filename = 'a.pdf', type = 'application/pdf'): Promise<string> {
  const body = new FormData();
  body.append('purpose', 'user_data');
  body.append('file', new Blob([Buffer.from(content, 'latin1')], { type }), filename);
  const response = await rig.call('/v1/files', {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${KEYS.alice}` },
  });
  // The cast is safe because every created file has an id.
  return ((await response.json()) as { id: string }).id;
}

const user = (part: object) => [{ role: 'user', content: [part] }];

/** Requests of each protocol with a file. */
const REQUESTS: Record<string, (model: string, id: string) => [path: string, body: object]> = {
  'chat-completions': (model, id) => [
    '/v1/chat/completions',
    { model, messages: user({ type: 'file', file: { file_id: id } }) },
  ],
  responses: (model, id) => [
    '/v1/responses',
    { model, input: user({ type: 'input_file', file_id: id }), store: false },
  ],
  messages: (model, id) => [
    '/v1/messages',
    { model, max_tokens: 9, messages: user({ type: 'document', source: { type: 'file', file_id: id } }) },
  ],
  'generative-content': (model, id) => [
    `/v1beta/models/${model}:generateContent`,
    { contents: [{ role: 'user', parts: [{ fileData: { fileUri: `files/${id.slice('file-'.length)}` } }] }] },
  ],
};

async function send(protocol: string, model: string, id: string) {
  const [path, body] = REQUESTS[protocol]?.(model, id) ?? [''];
  return rig.post(path, body);
}

/** How a request of each upstream refers to a stored file. */
const REFERENCES: Record<(typeof UPSTREAMS)[number], string> = {
  'chat-completions': '"file":{"file_id":"vendor-',
  responses: '"file_id":"vendor-',
  messages: '"source":{"type":"file","file_id":"vendor-',
  'generative-content': '"fileUri":"https://generativelanguage.googleapis.com/v1beta/files/vendor-',
};

describe('a large file in a request', () => {
  const cases = Object.keys(REQUESTS).flatMap((protocol) => UPSTREAMS.map((kind) => [protocol, kind] as const));

  it.each(cases)('of %s is uploaded once to an upstream of %s', async (protocol, kind) => {
    const id = await upload();
    await send(protocol, kind, id);
    await send(protocol, kind, id);
    expect(vendor.uploads).toHaveLength(1);
    expect(vendor.uploads[0]?.raw).toContain(PDF);
    expect(vendor.requests).toHaveLength(2);
    for (const { raw, headers } of vendor.requests) {
      expect(raw).toContain(REFERENCES[kind]);
      expect(raw).not.toContain(id.slice('file-'.length));
      if (kind === 'messages') expect(headers['anthropic-beta']).toContain('files-api-2025-04-14');
    }
  });

  it('is sent with its name, type, and expiry', async () => {
    const id = await upload();
    for (const kind of UPSTREAMS) await send('responses', kind, id);
    const [chat, responses, messages, google] = vendor.uploads;
    for (const form of [chat, responses, messages]) {
      expect(form?.raw).toContain('name="file"; filename="a.pdf"\r\ncontent-type: application/pdf');
    }
    expect(responses?.raw).toMatch(/name="purpose"\r\n\r\nuser_data\r\n/);
    expect(responses?.raw).toMatch(/name="expires_after\[seconds\]"\r\n\r\n2592000\r\n/);
    expect(messages?.raw).toMatch(/name="expires_in_seconds"\r\n\r\n259\d{4}\r\n/);
    expect(messages?.headers).toMatchObject({ 'x-api-key': 'sk-vendor', 'anthropic-version': '2023-06-01' });
    expect(google?.path).toBe('/upload/v1beta/files?upload_id=1');
    expect(google?.headers).toMatchObject({ 'content-type': 'application/pdf', 'x-goog-upload-offset': '0' });
  });

  it('is an image for upstreams that distinguish images', async () => {
    const id = await upload(PNG, 'a.png', 'image/png');
    await send('chat-completions', 'messages', id);
    await send('chat-completions', 'responses', id);
    // Chat completions has no references to images.
    await send('chat-completions', 'chat-completions', id);
    expect(vendor.requests.map(({ raw }) => /"type":"(?:input_)?image(?:_url)?"/.exec(raw)?.[0])).toEqual([
      '"type":"image"',
      '"type":"input_image"',
      '"type":"image_url"',
    ]);
    expect(vendor.uploads).toHaveLength(2);
  });

  it('is uploaded once by concurrent requests', async () => {
    const id = await upload();
    vendor.beforeStore = () => setTimeout(300);
    await Promise.all(Array.from({ length: 5 }, () => send('responses', 'responses', id)));
    expect([vendor.uploads.length, vendor.requests.length]).toEqual([1, 5]);
    const { values } = await rig.metrics.vendorUploads.get();
    expect(values).toContainEqual(expect.objectContaining({ labels: { upstream: 'responses', result: 'stored' } }));
  });

  it('is uploaded by the next request if the client of the first one disconnects', async () => {
    const id = await upload();
    const client = new AbortController();
    vendor.beforeStore = async () => client.abort();
    const [path, body] = REQUESTS['responses']?.('responses', id) ?? [''];
    await rig.post(path, body, { signal: client.signal }).catch(() => undefined);
    vendor.beforeStore = () => Promise.resolve();
    await send('responses', 'responses', id);
    expect(vendor.requests).toHaveLength(1);
  });

  it.each(UPSTREAMS)('is uploaded again if %s no longer has it', async (kind) => {
    const id = await upload();
    await send('messages', kind, id);
    vendor.stored.clear();
    const response = await send('messages', kind, id);
    expect(response.status).toBe(429);
    expect([vendor.uploads.length, vendor.requests.length]).toEqual([2, 3]);
  });

  it('is uploaded for each credential of a pool', async () => {
    const id = await upload();
    for (let count = 0; count < 4; count += 1) await send('responses', 'pool', id);
    const keys = new Set(vendor.uploads.map(({ headers }) => headers.authorization));
    expect([vendor.uploads.length, keys]).toEqual([2, new Set(['Bearer sk-one', 'Bearer sk-two'])]);
  });

  it('is sent with its content if it is small, or its upstream stores no files', async () => {
    await send('responses', 'responses', await upload('%PDF-1.4', 'a.pdf'));
    await send('messages', 'plain', await upload());
    expect(vendor.uploads).toEqual([]);
    expect(vendor.requests[0]?.raw).toContain(Buffer.from('%PDF-1.4').toString('base64'));
    expect(vendor.requests[1]?.raw).toContain(Buffer.from(PDF).toString('base64'));
  });

  it('is sent with its content to count its tokens', async () => {
    const source = { type: 'file', file_id: await upload() };
    const messages = user({ type: 'document', source });
    await rig.post('/v1/messages/count_tokens', { model: 'messages', messages });
    expect(vendor.uploads).toEqual([]);
    expect(vendor.requests[0]?.raw).toContain(Buffer.from(PDF).toString('base64'));
  });
});
