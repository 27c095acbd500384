import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../../../test/api-rig.ts';
import { type BadRequest, type Send, send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({
    redisTimeoutMs: 5_000,
    limits: SMALL_LIMITS,
    config: { files: { max_bytes: 1_000, media_types: ['text/*'] } },
  });
});
afterAll(() => rig.close());

// A refused upload leaves neither a file nor usage.
afterEach(async () => {
  expect(await (await rig.call('/v1/files')).json()).toMatchObject({ data: [] });
});

type Field = [name: string, value: string | Blob, filename?: string];
const text = new Blob(['hello'], { type: 'text/plain' });
const file: Field = ['file', text, 'a.txt'];
const purpose: Field = ['purpose', 'user_data'];
const seconds = (value: string): Field => ['expires_after[seconds]', value];
const anchor: Field = ['expires_after[anchor]', 'created_at'];

function upload(...fields: Field[]): Send {
  return async (at) => {
    const body = new FormData();
    for (const [name, value, filename] of fields) {
      if (typeof value === 'string') body.append(name, value);
      else body.append(name, value, filename ?? 'a.txt');
    }
    return send('POST', '/v1/files', { body })(at);
  };
}

const invalid = (title: string, request: Send, param?: string): BadRequest => [
  title,
  request,
  'invalid_request',
  param,
];

describe('POST /v1/files', () => {
  testRejections(() => rig, {
    400: [
      invalid('the file is missing', upload(purpose), 'file'),
      invalid('the purpose is missing', upload(file), 'purpose'),
      invalid('the purpose is unknown', upload(file, ['purpose', 'fun']), 'purpose'),
      invalid('the purpose is one of files that Sluice writes', upload(file, ['purpose', 'batch_output']), 'purpose'),
      invalid('the purpose appears twice', upload(file, purpose, purpose), 'purpose'),
      invalid('the file is text without a filename', upload(['file', 'hello'], purpose), 'file'),
      invalid('the file is sent twice', upload(file, file, purpose), 'file'),
      invalid('the file is in another field', upload(['data', text], purpose), 'data'),
      invalid('the file is empty', upload(['file', new Blob([])], purpose), 'file'),
      invalid('the type is not allowed', upload(['file', new Blob(['x'], { type: 'audio/mpeg' })], purpose), 'file'),
      invalid('a batch is not JSONL', upload(file, ['purpose', 'batch']), 'file'),
      invalid('a file for vision is no image', upload(file, ['purpose', 'vision']), 'file'),
      invalid('the expiry is too soon', upload(file, purpose, anchor, seconds('3599')), 'expires_after[seconds]'),
      invalid('the expiry is too late', upload(file, purpose, anchor, seconds('2592001')), 'expires_after[seconds]'),
      invalid('the expiry is no number', upload(file, purpose, anchor, seconds('soon')), 'expires_after[seconds]'),
      invalid('the anchor is missing', upload(file, purpose, seconds('3600')), 'expires_after[anchor]'),
      invalid('the expiry is text', upload(file, purpose, ['expires_after', '3600']), 'expires_after'),
      invalid('the name of a field is reserved', upload(file, purpose, ['__proto__', 'x'])),
    ],
    401: [['the API key is missing', send('POST', '/v1/files', { headers: {}, body: 'x' }), 'invalid_api_key']],
    413: [['the file is too large', upload(['file', new Blob(['x'.repeat(1_001)])], purpose), 'payload_too_large']],
    415: [
      ['the body is JSON', sendJson('POST', '/v1/files', { purpose: 'batch' }), 'unsupported_media_type'],
      ['the body is plain text', send('POST', '/v1/files', { body: 'x' }), 'unsupported_media_type'],
      ['there is no body', send('POST', '/v1/files'), 'unsupported_media_type'],
    ],
  });
});

describe('GET /v1/files', () => {
  testRejections(() => rig, {
    400: [
      invalid('limit is 0', send('GET', '/v1/files?limit=0'), 'limit'),
      invalid('limit is too high', send('GET', '/v1/files?limit=10001'), 'limit'),
      invalid('order is unknown', send('GET', '/v1/files?order=random'), 'order'),
      invalid('purpose is unknown', send('GET', '/v1/files?purpose=fun'), 'purpose'),
      invalid('after is no id', send('GET', '/v1/files?after=zz'), 'after'),
      invalid('after appears twice', send('GET', '/v1/files?after=a&after=b'), 'after'),
    ],
  });
});

describe.each([
  ['GET', '/v1/files/ID'],
  ['DELETE', '/v1/files/ID'],
  ['GET', '/v1/files/ID/content'],
])('%s %s', (method, path) => {
  const at = (id: string) => send(method, path.replace('ID', id));
  testRejections(() => rig, {
    404: [
      ['the id is unknown', at(`file-${'0'.repeat(25)}`), 'file_not_found'],
      ["the id is a vendor's", at('file-abc123'), 'file_not_found'],
      ['the id contains a slash', at('..%2f..%2fetc%2fpasswd'), 'file_not_found'],
      ['the id contains a wildcard', at('file-*'), 'file_not_found'],
    ],
  });
});

describe('/v1/uploads', () => {
  const fields = { bytes: 5, filename: 'a.txt', mime_type: 'text/plain', purpose: 'user_data' };
  const create = (change: object) => sendJson('POST', '/v1/uploads', { ...fields, ...change });
  const unknown = `/v1/uploads/upload_${'0'.repeat(25)}`;
  const part = async (at: ApiRig) => {
    const body = new FormData();
    body.append('data', text);
    return send('POST', `${unknown}/parts`, { body })(at);
  };
  /** Sends a request for a new upload, and cancels it. */
  const withUpload =
    (request: (path: string) => Send): Send =>
    async (at) => {
      // The cast is safe because every created upload has an id.
      const { id } = (await sendJson('POST', '/v1/uploads', fields)(at)).body as { id: string };
      const response = await request(`/v1/uploads/${id}`)(at);
      await send('POST', `/v1/uploads/${id}/cancel`)(at);
      return response;
    };
  const complete = (body: unknown) => withUpload((path) => sendJson('POST', `${path}/complete`, body));

  testRejections(() => rig, {
    400: [
      invalid('bytes is missing', create({ bytes: undefined }), 'bytes'),
      invalid('bytes is 0', create({ bytes: 0 }), 'bytes'),
      invalid('bytes is above the limit', create({ bytes: 9e9 }), 'bytes'),
      invalid('bytes is text', create({ bytes: 'many' }), 'bytes'),
      invalid('filename is empty', create({ filename: '' }), 'filename'),
      invalid('filename is too long', create({ filename: 'x'.repeat(256) }), 'filename'),
      invalid('mime_type is no media type', create({ mime_type: 'text' }), 'mime_type'),
      invalid('mime_type is not allowed', create({ mime_type: 'image/png' }), 'mime_type'),
      invalid('purpose is unknown', create({ purpose: 'x' }), 'purpose'),
      invalid('expires_after is a number', create({ expires_after: 5 }), 'expires_after'),
      invalid('the JSON is truncated', sendJson('POST', '/v1/uploads', '{"bytes":')),
      invalid('a part does not exist', complete({ part_ids: ['part_x'] }), 'part_ids'),
      invalid('part_ids is missing', complete({}), 'part_ids'),
      invalid('part_ids is empty', complete({ part_ids: [] }), 'part_ids'),
      invalid('md5 is no MD5', complete({ part_ids: ['x'], md5: 'x' }), 'md5'),
    ],
    404: [
      ['the upload of a part is unknown', part, 'upload_not_found'],
      [
        'the completed upload is unknown',
        sendJson('POST', `${unknown}/complete`, { part_ids: ['x'] }),
        'upload_not_found',
      ],
      ['the canceled upload is unknown', send('POST', `${unknown}/cancel`), 'upload_not_found'],
    ],
    415: [
      [
        'a part is JSON',
        withUpload((path) => sendJson('POST', `${path}/parts`, { data: 'x' })),
        'unsupported_media_type',
      ],
    ],
  });

  testRejections(() => rig, {
    404: [
      [
        'the upload belongs to another key',
        withUpload((path) => send('POST', `${path}/cancel`, { headers: { authorization: `Bearer ${KEYS.bob}` } })),
        'upload_not_found',
      ],
    ],
  });
});

describe('/v1/files in the format of Anthropic', () => {
  const headers = { 'x-api-key': KEYS.alice, 'anthropic-version': '2023-06-01' };
  const envelope = { type: 'error', request_id: expect.any(String) };
  it.each([
    ['limit is 0', '/v1/files?limit=0', 400, 'invalid_request_error'],
    ['a page is no id', '/v1/files?page=%5B', 400, 'invalid_request_error'],
    ['files are selected by id', '/v1/files?ids[]=a', 400, 'invalid_request_error'],
    ['files are selected by scope', '/v1/files?scope_id=a', 400, 'invalid_request_error'],
    ['the id is unknown', '/v1/files/file_x', 404, 'not_found_error'],
  ])('%s', async (_title, at, status, type) => {
    const response = await rig.call(at, { headers });
    expect([response.status, await response.json()]).toMatchObject([status, { ...envelope, error: { type } }]);
  });
});

describe('/upload/v1beta/files', () => {
  const start = { 'x-goog-upload-protocol': 'resumable', 'x-goog-upload-command': 'start' };
  const typed = { 'x-goog-upload-header-content-type': 'text/plain' };
  const unknown = `?upload_id=upload_${'0'.repeat(25)}`;
  it.each<[string, string, Record<string, string>, string | undefined, number, string]>([
    ['the protocol is missing', '', {}, '{}', 400, 'INVALID_ARGUMENT'],
    [
      'the protocol is multipart',
      '',
      { ...start, 'x-goog-upload-protocol': 'multipart' },
      '{}',
      400,
      'INVALID_ARGUMENT',
    ],
    ['the JSON is truncated', '', { ...start, ...typed }, '{"file":', 400, 'INVALID_ARGUMENT'],
    ['the file is a list', '', { ...start, ...typed }, '{"file":[]}', 400, 'INVALID_ARGUMENT'],
    ['the client chooses the name', '', { ...start, ...typed }, '{"file":{"name":"files/a"}}', 400, 'INVALID_ARGUMENT'],
    ['the type is not allowed', '', start, '{"file":{"mimeType":"audio/mpeg"}}', 400, 'INVALID_ARGUMENT'],
    [
      'the size is no number',
      '',
      { ...start, ...typed, 'x-goog-upload-header-content-length': 'x' },
      '{}',
      400,
      'INVALID_ARGUMENT',
    ],
    [
      'the size is above the limit',
      '',
      { ...start, ...typed, 'x-goog-upload-header-content-length': '9000000000' },
      '{}',
      413,
      'INVALID_ARGUMENT',
    ],
    ['the body is too large', '', { ...start, ...typed }, ' '.repeat(1_001), 413, 'INVALID_ARGUMENT'],
    ['the upload is unknown', unknown, { 'x-goog-upload-command': 'upload' }, 'x', 404, 'NOT_FOUND'],
    ['the upload is no id', '?upload_id=..%2f', { 'x-goog-upload-command': 'query' }, undefined, 404, 'NOT_FOUND'],
    ['the command is unknown', unknown, { 'x-goog-upload-command': 'upload, finish' }, 'x', 400, 'INVALID_ARGUMENT'],
    ['the command is missing', unknown, {}, 'x', 400, 'INVALID_ARGUMENT'],
  ])('%s', async (_title, query, headers, body, status, code) => {
    const response = await rig.call(`/upload/v1beta/files${query}`, {
      method: 'POST',
      headers: { 'x-goog-api-key': KEYS.alice, ...headers },
      body: body ?? null,
    });
    expect([response.status, await response.json()]).toMatchObject([status, { error: { status: code } }]);
    expect(await rig.storedFiles()).toEqual([]);
  });
});
