import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

const LIMIT = 8 * 1024 * 1024;

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: { json_bytes: LIMIT, upload_bytes: 20_000, header_bytes: 8_192 } });
});
afterAll(() => rig.close());

function post(body: Uint8Array<ArrayBuffer>, encoding: string, type = 'application/json'): Promise<Response> {
  return rig.call('/v1/videos', {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.alice}`, 'content-type': type, 'content-encoding': encoding },
    body,
  });
}

const errorOf = async (response: Response): Promise<unknown> => ({
  status: response.status,
  ...((await response.json()) as object),
});

const VIDEO = Buffer.from('{"prompt":"a kite"}');
const COMPRESSIONS = [
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const;

describe.each(COMPRESSIONS)('a body with Content-Encoding: %s', (encoding, compress) => {
  it('is decompressed', async () => {
    const response = await post(Buffer.from(compress(VIDEO)), encoding.toUpperCase());
    expect(response.status, await response.clone().text()).toBe(200);
    expect(await response.json()).toMatchObject({ prompt: 'a kite' });
  });

  it('is rejected if it is invalid or incomplete', async () => {
    for (const body of [VIDEO, Buffer.from(compress(VIDEO)).subarray(0, -4)]) {
      const refusal = { status: 400, error: { code: 'invalid_request' } };
      expect(await errorOf(await post(Buffer.from(body), encoding))).toMatchObject(refusal);
    }
  });

  it.each([
    ['decompressed beyond the limit', Buffer.alloc(LIMIT + 1, ' ')],
    ['compressed more than a hundred times', Buffer.alloc(LIMIT - 1, ' ')],
  ])('is rejected if it is %s', async (_title, body) => {
    const refusal = { status: 413, error: { code: 'payload_too_large' } };
    expect(await errorOf(await post(Buffer.from(compress(body)), encoding))).toMatchObject(refusal);
  });
});

it.each(['deflate', 'gzip, br', 'unknown'])(
  'rejects Content-Encoding: %s and names those it accepts',
  async (encoding) => {
    const response = await post(VIDEO, encoding);
    expect(response.headers.get('accept-encoding')).toBe('gzip, br, zstd');
    expect(await errorOf(response)).toMatchObject({ status: 415, error: { code: 'unsupported_media_type' } });
  },
);

it('rejects compressed forms', async () => {
  const response = await post(Buffer.from(gzipSync('--b--')), 'gzip', 'multipart/form-data; boundary=b');
  expect(await errorOf(response)).toMatchObject({ status: 415, error: { code: 'unsupported_media_type' } });
});
