import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { measureImage } from '../../media/image/measure-image.ts';
import { renderImage } from '../../media/image/render-image.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let ahead = 0;
let sandbox: RunningSandbox;

beforeEach(async () => {
  ahead = 0;
  sandbox = await startSandbox({ renderMs: 20, now: () => Date.now() + ahead });
});
afterEach(() => sandbox.close());

function generate(body: object, headers: Record<string, string> = { authorization: 'Bearer sk-sandbox' }) {
  return fetch(`${sandbox.url}/v1/images/generations`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

interface ImagesBody {
  data: { url?: string; b64_json?: string; revised_prompt?: string }[];
}

async function generated(body: object): Promise<ImagesBody['data']> {
  return ((await (await generate(body)).json()) as ImagesBody).data;
}

async function submissions(): Promise<unknown> {
  return (await fetch(`${sandbox.url}/_sandbox/submissions?wire=images`)).json();
}

describe('the images API', () => {
  it('returns images in base64 for models without URLs, with usage', async () => {
    const response = await generate({ model: 'gpt-image-2', prompt: 'two kites', n: 2, size: '48x32', quality: 'low' });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    const body = (await response.json()) as ImagesBody;
    expect(body).toEqual({
      created: expect.closeTo(Date.now() / 1000, -1),
      background: 'opaque',
      data: [{ b64_json: expect.any(String) }, { b64_json: expect.any(String) }],
      output_format: 'png',
      quality: 'low',
      size: '48x32',
      usage: {
        input_tokens: 2,
        input_tokens_details: { text_tokens: 2, image_tokens: 0 },
        output_tokens: 4,
        total_tokens: 6,
      },
    });
    const [first, second] = body.data.map(({ b64_json: base64 = '' }) => Buffer.from(base64, 'base64'));
    expect(first && measureImage(first)).toEqual({ mediaType: 'image/png', width: 48, height: 32 });
    expect(first).not.toEqual(second);
  });

  it('returns URLs that expire after an hour by default', async () => {
    const [image] = await generated({ model: 'dall-e-3', prompt: 'kite' });
    expect(image).toEqual({ url: expect.any(String), revised_prompt: 'kite' });
    const url = image?.url ?? '';
    const file = await fetch(url);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
    ahead = 3600 * 1000;
    expect((await fetch(url)).status).toBe(403);
    expect(await generated({ model: 'any', prompt: 'kite', response_format: 'b64_json', size: '32x32' })).toEqual([
      { b64_json: expect.any(String) },
    ]);
  });

  it('records the images of an edit', async () => {
    const bytes = renderImage({ prompt: 'kite', width: 64, height: 64 });
    const form = new FormData();
    form.set('image', new File([new Uint8Array(bytes)], 'kite.png', { type: 'image/png' }));
    form.set('prompt', 'a boat');
    form.set('size', '32x32');
    const headers = { authorization: 'Bearer sk-sandbox', 'x-client-request-id': 'task-1' };
    const response = await fetch(`${sandbox.url}/v1/images/edits`, { method: 'POST', headers, body: form });
    expect(await response.json()).toMatchObject({ usage: { input_tokens_details: { image_tokens: 256 } } });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const input = { field: 'image', filename: 'kite.png', mediaType: 'image/png', bytes: bytes.length, sha256 };
    expect(await submissions()).toMatchObject({ submissions: [{ task: 'task-1', applied: 1, inputs: [input] }] });
  });

  it.each<Record<string, string>>([{}, { authorization: 'Bearer sk-other' }, { 'x-api-key': 'sk-sandbox' }])(
    'requires the key, not %j',
    async (headers) => {
      const response = await generate({ prompt: 'kite' }, headers);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key', param: null } });
    },
  );

  it.each([
    ['[moderation]', 400, 'image_generation_user_error', 'moderation_blocked'],
    ['[moderated-output]', 400, 'image_generation_user_error', 'moderation_blocked'],
    ['[refused]', 400, 'invalid_request_error', 'invalid_value'],
    ['[balance]', 429, 'insufficient_quota', 'insufficient_quota'],
    ['[429]', 429, 'requests', 'rate_limit_exceeded'],
    ['[503]', 503, 'server_error', 'server_is_overloaded'],
    ['[500]', 500, 'server_error', 'server_error'],
    ['[fail]', 500, 'image_generation_server_error', 'image_generation_failed'],
  ])('formats %s', async (word, status, type, code) => {
    const response = await generate({ prompt: `kite ${word}`, size: '32x32' });
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe(word === '[429]' ? '1' : null);
    expect(await response.json()).toMatchObject({ error: { type, code } });
  });

  it('includes the request id in a moderation error', async () => {
    const response = await generate({ prompt: 'kite [moderation]' });
    const message = expect.stringContaining(`request ID ${response.headers.get('x-request-id')}.`);
    expect(await response.json()).toMatchObject({ error: { message } });
    expect(await submissions()).toMatchObject({ submissions: [{ applied: 0, refused: 1 }] });
  });

  it('omits failed images, and all of them with [nothing]', async () => {
    const several = { model: 'any', n: 3, size: '32x32' };
    expect(await generated({ ...several, prompt: 'kites [partial]' })).toHaveLength(2);
    expect(await generated({ ...several, prompt: 'kites [nothing]' })).toEqual([]);
  });

  it('cuts off the response with [cut] if it contains the images, otherwise their download', async () => {
    const inBase64 = await generate({ prompt: 'kite [cut]', size: '32x32' });
    await expect(inBase64.text()).rejects.toThrow('terminated');
    const [image] = await generated({ model: 'any', prompt: 'boat [cut]', size: '32x32' });
    const file = await fetch(image?.url ?? '');
    await expect(file.arrayBuffer()).rejects.toThrow('terminated');
  });

  it('limits the account’s running jobs', async () => {
    await sandbox.close();
    sandbox = await startSandbox({ renderMs: 2_000, concurrency: { images: 2 } });
    const small = { model: 'any', size: '32x32', n: 2 };
    const both = await Promise.all(['kites', 'boats'].map((prompt) => generate({ ...small, prompt })));
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 429]));
  });

  it('rejects unknown paths and bodies that are not JSON in the vendor’s format', async () => {
    const headers = { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json' };
    const unknown = await fetch(`${sandbox.url}/v1/images/variations`, { method: 'POST', headers, body: '{}' });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { type: 'invalid_request_error' } }]);
    const half = await fetch(`${sandbox.url}/v1/images/generations`, { method: 'POST', headers, body: '{"prompt":' });
    expect([half.status, await half.json()]).toMatchObject([400, { error: { type: 'invalid_request_error' } }]);
  });
});
