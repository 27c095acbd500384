import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KEYS } from '../../../test/api-rig.ts';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../../test/text-rig.ts';

const UPSTREAMS = ['chat-completions', 'responses', 'messages', 'generative-content'] as const;
const MIB = 1024 * 1024;

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeAll(async () => {
  upstream = await scriptedUpstream((_request, response) => sendJson(response, 400, { error: { message: 'seen' } }));
  const account = (kind: string) => ({ kind, base_url: upstream.url, api_key: 'sk-vendor' });
  const config = {
    upstreams: Object.fromEntries(UPSTREAMS.map((kind) => [kind, account(kind)])),
    models: UPSTREAMS.map((kind) => ({ id: kind, routes: [{ upstream: kind, model: 'theirs' }] })),
  };
  rig = await textRig(config, { redisTimeoutMs: 5_000 });
});
afterAll(async () => {
  await rig.close();
  await upstream.close();
});
beforeEach(() => void (upstream.requests.length = 0));

async function upload(content: string | Buffer, filename: string, type: string, key = KEYS.alice): Promise<string> {
  const body = new FormData();
  body.append('purpose', 'user_data');
  body.append('file', new Blob([content], { type }), filename);
  const response = await rig.call('/v1/files', { method: 'POST', body, headers: { authorization: `Bearer ${key}` } });
  // The cast is safe because every created file has an id.
  return ((await response.json()) as { id: string }).id;
}

const uriOf = (id: string) => `https://gateway.example/v1beta/files/${id.slice('file-'.length)}`;

/** Requests of each protocol with a file. */
const REQUESTS: Record<string, (model: string, id: string, isImage: boolean) => [path: string, body: object]> = {
  'chat-completions': (model, id) => [
    '/v1/chat/completions',
    { model, messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: id } }] }] },
  ],
  responses: (model, id, isImage) => [
    '/v1/responses',
    {
      model,
      input: [{ role: 'user', content: [{ type: isImage ? 'input_image' : 'input_file', file_id: id }] }],
      store: false,
    },
  ],
  messages: (model, id, isImage) => [
    '/v1/messages',
    {
      model,
      max_tokens: 9,
      messages: [
        { role: 'user', content: [{ type: isImage ? 'image' : 'document', source: { type: 'file', file_id: id } }] },
      ],
    },
  ],
  'generative-content': (model, id) => [
    `/v1beta/models/${model}:generateContent`,
    { contents: [{ role: 'user', parts: [{ fileData: { fileUri: uriOf(id) } }] }] },
  ],
};

describe('a file in a request', () => {
  const cases = Object.keys(REQUESTS).flatMap((protocol) => UPSTREAMS.map((kind) => [protocol, kind] as const));

  it.each(cases)('of %s is sent to an upstream of %s with its content', async (protocol, kind) => {
    for (const [content, name, type] of [
      ['%PDF-1.4', 'a.pdf', 'application/pdf'],
      ['\x89PNG\r\n\x1A\n\0\0\0\x0D', 'a.png', 'image/png'],
    ] as const) {
      const id = await upload(Buffer.from(content, 'latin1'), name, type);
      const [path, body] = REQUESTS[protocol]?.(kind, id, type === 'image/png') ?? [''];
      await rig.post(path, body);
      const [sent] = upstream.requests.splice(0);
      expect(sent?.raw).toContain(Buffer.from(content, 'latin1').toString('base64'));
      expect(sent?.raw).toContain(type);
      expect(sent?.raw).not.toContain(id.slice('file-'.length));
    }
  });

  it('is text for Anthropic if its type is text', async () => {
    const id = await upload('hello', 'a.txt', 'text/plain');
    for (const protocol of ['messages', 'responses']) {
      const [path, body] = REQUESTS[protocol]?.('messages', id, false) ?? [''];
      await rig.post(path, body);
      const [sent] = upstream.requests.splice(0);
      expect(JSON.stringify(sent?.body['messages'])).toContain(
        '{"type":"text","media_type":"text/plain","data":"hello"}',
      );
    }
  });

  it('must belong to the key, and exist', async () => {
    const id = await upload('x', 'a.txt', 'text/plain', KEYS.bob);
    const [path, body] = REQUESTS['responses']?.('chat-completions', id, false) ?? [''];
    const refused = await rig.post(path, body);
    expect([refused.status, await refused.json()]).toMatchObject([
      404,
      { error: { code: 'file_not_found', param: 'input[0][content][0]' } },
    ]);
    expect(upstream.requests).toEqual([]);
  });

  it('must be small enough to be sent in a request', async () => {
    const id = await upload(Buffer.alloc(17 * MIB), 'a.pdf', 'application/pdf');
    const part = { type: 'input_file', file_id: id };
    const input = [{ role: 'user', content: [part, part] }];
    const refused = await rig.post('/v1/responses', { model: 'responses', input });
    expect([refused.status, await refused.json()]).toMatchObject([413, { error: { code: 'payload_too_large' } }]);
    expect(upstream.requests).toEqual([]);
  });

  it('leaves the files of vendors alone, which most keys cannot use', async () => {
    const [path, body] = REQUESTS['responses']?.('responses', 'file-abc123', false) ?? [''];
    const refused = await rig.post(path, body);
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: 'unsupported_parameter' } }]);
  });
});
