import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../../../test/api-rig.ts';
import { type BadRequest, type Send, send, sendJson, testRejections } from '../../../test/bad-request.ts';

const CHAT = '/v1/chat/completions';
let rig: ApiRig;
beforeAll(async () => {
  const batches = { max_window_ms: 3_600_000 };
  rig = await apiRig({ redisTimeoutMs: 5_000, limits: SMALL_LIMITS, config: { batches } });
});
afterAll(() => rig.close());

// A refused creation leaves no batch.
afterEach(async () => {
  expect(await (await rig.call('/v1/batches')).json()).toMatchObject({ data: [] });
});

const unknown = `file-${'0'.repeat(25)}`;
const fields = { input_file_id: unknown, endpoint: CHAT, completion_window: '1h' };
const create = (change: object) => sendJson('POST', '/v1/batches', { ...fields, ...change });
const pairs = (count: number, value = 'x') =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));
const invalid = (title: string, request: Send, param?: string): BadRequest => [
  title,
  request,
  'invalid_request',
  param,
];
const lifetime = (seconds: unknown, anchor: unknown = 'created_at') =>
  create({ output_expires_after: { anchor, seconds } });

const change = (body: unknown) => sendJson('POST', `/v1/batches/batch_${'0'.repeat(25)}`, body);

describe('POST /v1/batches', () => {
  testRejections(() => rig, {
    400: [
      invalid('input_file_id is missing', create({ input_file_id: undefined }), 'input_file_id'),
      invalid('input_file_id is no id', create({ input_file_id: '../etc' }), 'input_file_id'),
      invalid('input_file_id is a number', create({ input_file_id: 5 }), 'input_file_id'),
      invalid('endpoint is missing', create({ endpoint: undefined }), 'endpoint'),
      invalid('endpoint is not supported', create({ endpoint: '/v1/audio/speech' }), 'endpoint'),
      invalid('endpoint is the name of a method', create({ endpoint: 'toString' }), 'endpoint'),
      invalid('completion_window is missing', create({ completion_window: undefined }), 'completion_window'),
      invalid('completion_window is no duration', create({ completion_window: 'soon' }), 'completion_window'),
      invalid('completion_window is too short', create({ completion_window: '4m' }), 'completion_window'),
      invalid('completion_window is too long', create({ completion_window: '8d' }), 'completion_window'),
      invalid('completion_window is above the limit', create({ completion_window: '2h' }), 'completion_window'),
      invalid('metadata is a text', create({ metadata: 'x' }), 'metadata'),
      invalid('metadata has too many pairs', create({ metadata: pairs(17) }), 'metadata'),
      invalid('a value in metadata is too long', create({ metadata: pairs(1, 'x'.repeat(513)) }), 'metadata[k0]'),
      invalid('a value in metadata is a number', create({ metadata: { a: 5 } }), 'metadata[a]'),
      invalid(
        'a key in metadata is too long',
        create({ metadata: { ['x'.repeat(65)]: 'x' } }),
        `metadata[${'x'.repeat(65)}]`,
      ),
      invalid('the results expire too soon', lifetime(3_599), 'output_expires_after[seconds]'),
      invalid('the results expire too late', lifetime(2_592_001), 'output_expires_after[seconds]'),
      invalid('the anchor is unknown', lifetime(3_600, 'now'), 'output_expires_after[anchor]'),
      invalid('priority is too high', create({ priority: 101 }), 'priority'),
      invalid('priority is a fraction', create({ priority: 0.5 }), 'priority'),
      invalid('retry_unknown is a text', create({ retry_unknown: 'yes' }), 'retry_unknown'),
      invalid('a field is unknown', create({ max_cost: 1 })),
      invalid(
        'a field of an estimate is unknown',
        sendJson('POST', '/v1/batches?dry_run=true', { ...fields, max_cost: 1 }),
      ),
      invalid('max_cost_usd is negative', create({ max_cost_usd: -1 }), 'max_cost_usd'),
      invalid('dry_run is unknown', sendJson('POST', '/v1/batches?dry_run=yes', fields), 'dry_run'),
      invalid('the body is a list', sendJson('POST', '/v1/batches', [])),
      invalid('the JSON is truncated', sendJson('POST', '/v1/batches', '{"endpoint":')),
      invalid(
        'a label is invalid',
        sendJson('POST', '/v1/batches', fields, { 'x-sluice-labels': 'team' }),
        'x-sluice-labels',
      ),
    ],
    401: [['the API key is missing', send('POST', '/v1/batches', { headers: {} }), 'invalid_api_key']],
    404: [
      ['the file does not exist', create({}), 'file_not_found', 'input_file_id'],
      [
        'the file of an estimate does not exist',
        sendJson('POST', '/v1/batches?dry_run=true', fields),
        'file_not_found',
        'input_file_id',
      ],
    ],
    413: [['the body is too large', create({ metadata: { a: 'x'.repeat(5_000) } }), 'payload_too_large']],
    415: [['the body is plain text', send('POST', '/v1/batches', { body: 'x' }), 'unsupported_media_type']],
  });
});

describe('GET /v1/batches', () => {
  testRejections(() => rig, {
    400: [
      invalid('limit is 0', send('GET', '/v1/batches?limit=0'), 'limit'),
      invalid('limit is too high', send('GET', '/v1/batches?limit=101'), 'limit'),
      invalid('after is no id', send('GET', '/v1/batches?after=zz'), 'after'),
      invalid('after appears twice', send('GET', '/v1/batches?after=a&after=b'), 'after'),
    ],
  });
});

describe.each([
  ['GET', '/v1/batches/ID', undefined],
  ['POST', '/v1/batches/ID', { paused: true }],
  ['POST', '/v1/batches/ID/cancel', undefined],
  ['DELETE', '/v1/batches/ID', undefined],
])('%s %s', (method, path, body) => {
  const at = (id: string): Send =>
    body ? sendJson(method, path.replace('ID', id), body) : send(method, path.replace('ID', id));
  testRejections(() => rig, {
    404: [
      ['the id is unknown', at(`batch_${'0'.repeat(25)}`), 'batch_not_found'],
      ["the id is a vendor's", at('batch_abc123'), 'batch_not_found'],
      ['the id contains a slash', at('..%2f..%2fetc%2fpasswd'), 'batch_not_found'],
      ['the id contains a wildcard', at('batch_*'), 'batch_not_found'],
    ],
  });
});

describe('POST /v1/batches/{batch_id}', () => {
  testRejections(() => rig, {
    400: [
      invalid('nothing is changed', change({})),
      invalid('paused is a text', change({ paused: 'yes' }), 'paused'),
      invalid('priority is too low', change({ priority: -101 }), 'priority'),
      invalid('the body is a list', change([])),
    ],
  });
});

describe('/v1/messages/batches', () => {
  const headers = { 'x-api-key': KEYS.alice, 'anthropic-version': '2023-06-01' };
  const json = { ...headers, 'content-type': 'application/json' };
  const params = { model: 'video', max_tokens: 5, messages: [] };
  const post = (body: unknown, more: Record<string, string> = json) =>
    rig.call('/v1/messages/batches', {
      method: 'POST',
      headers: more,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it.each<[string, unknown, string, string]>([
    ['requests is missing', {}, 'invalid_request_error', 'requests'],
    ['requests is empty', { requests: [] }, 'invalid_request_error', 'requests must contain a request'],
    ['requests is a text', { requests: 'x' }, 'invalid_request_error', 'requests must be an array'],
    ['the body is a list', [], 'invalid_request_error', 'must be a JSON object'],
    ['the JSON is truncated', '{"requests":[{"custom_id":"a"', 'invalid_request_error', 'not valid JSON'],
    ['a request is missing', '{"requests":[,]}', 'invalid_request_error', 'requests[0]: The body is not valid JSON'],
    ['custom_id is missing', { requests: [{ params }] }, 'invalid_request_error', 'requests[0]: custom_id is required'],
    [
      'custom_id appears twice',
      {
        requests: [
          { custom_id: 'a', params },
          { custom_id: 'a', params },
        ],
      },
      'invalid_request_error',
      'requests[1]: custom_id `a` appears twice',
    ],
    [
      'params is missing',
      { requests: [{ custom_id: 'a' }] },
      'invalid_request_error',
      'requests[0]: params is required',
    ],
    [
      'a message is streamed',
      { requests: [{ custom_id: 'a', params: { ...params, stream: true } }] },
      'invalid_request_error',
      'requests[0]: params[stream] must be false',
    ],
    [
      'the model does not exist',
      { requests: [{ custom_id: 'a', params: { ...params, model: 'no-model' } }] },
      'not_found_error',
      'Model `no-model` does not exist',
    ],
    [
      'a request is too large',
      { requests: [{ custom_id: 'a', params: { ...params, system: 'x'.repeat(5_000) } }] },
      'request_too_large',
      'at most 4,096 bytes',
    ],
    [
      'the priority is a text',
      { requests: [{ custom_id: 'a', params }], priority: 'x' },
      'invalid_request_error',
      'priority',
    ],
    ['requests appears twice', '{"requests":[],"requests":[]}', 'invalid_request_error', '`requests` appears twice'],
    [
      'the first of many requests is invalid',
      `{"requests":[${'{"custom_id":"a"},'.repeat(100_000)}{}]}`,
      'invalid_request_error',
      'requests[0]: params is required',
    ],
    [
      'there are too many requests',
      { requests: Array.from({ length: 100_001 }, (_, at) => ({ custom_id: `r${at}`, params: { model: 'video' } })) },
      'invalid_request_error',
      'requests must have at most 100,000 requests',
    ],
  ])('%s', async (_title, body, type, message) => {
    const response = await post(body);
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type, message: expect.stringContaining(message) },
      request_id: expect.any(String),
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(await rig.storedFiles()).toEqual([]);
  });

  it('the body is no JSON, or compressed', async () => {
    expect((await post('x', { ...headers, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post('x', { ...json, 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it.each([
    ['limit is 0', '/v1/messages/batches?limit=0', 400, 'invalid_request_error'],
    ['a cursor is no id', '/v1/messages/batches?after_id=%5B', 400, 'invalid_request_error'],
    ['the id is unknown', '/v1/messages/batches/msgbatch_x', 404, 'not_found_error'],
    ['the id of the results is unknown', '/v1/messages/batches/msgbatch_x/results', 404, 'not_found_error'],
  ])('%s', async (_title, at, status, type) => {
    const response = await rig.call(at, { headers });
    expect([response.status, await response.json()]).toMatchObject([status, { type: 'error', error: { type } }]);
  });
});

describe('Google’s batches', () => {
  const at = '/v1beta/models/video:batchGenerateContent';
  const headers = { 'x-goog-api-key': KEYS.alice, 'content-type': 'application/json' };
  const requests = { requests: [{ request: { contents: [] } }] };
  it.each<[string, string, string, unknown, number, string]>([
    ['the batch is missing', 'POST', at, {}, 400, 'batch is required'],
    ['the input is missing', 'POST', at, { batch: {} }, 400, 'must contain fileName or requests'],
    [
      'the input is empty',
      'POST',
      at,
      { batch: { inputConfig: { requests: { requests: [] } } } },
      400,
      'must contain a request',
    ],
    [
      'the input is in two places',
      'POST',
      at,
      { batch: { inputConfig: { fileName: 'files/a', requests } } },
      400,
      'must not contain both',
    ],
    [
      'the file does not exist',
      'POST',
      at,
      { batch: { input_config: { file_name: 'files/a' } } },
      404,
      'does not exist',
    ],
    ['the file is no name', 'POST', at, { batch: { inputConfig: { fileName: 'gs://x' } } }, 400, 'name of a file'],
    [
      'a request is missing',
      'POST',
      at,
      { batch: { inputConfig: { requests: { requests: [{}] } } } },
      400,
      'batch[inputConfig][requests][requests][0]: request is required',
    ],
    ['a webhook is in the batch', 'POST', at, { batch: { webhookConfig: {} } }, 400, 'is not supported'],
    ['the model does not exist', 'POST', at.replace('video', 'no-model'), { batch: {} }, 404, 'does not exist'],
    ['the JSON is truncated', 'POST', at, '{"batch":', 400, 'not valid JSON'],
    ['the page size is too large', 'GET', '/v1beta/batches?pageSize=101', undefined, 400, 'pageSize'],
    ['the page is no token', 'GET', '/v1beta/batches?pageToken=%5B', undefined, 400, 'pageToken'],
    ['the id is unknown', 'GET', '/v1beta/batches/abc', undefined, 404, 'does not exist'],
    ['the id is unknown in v1', 'GET', '/v1/batches/abc', undefined, 404, 'does not exist'],
    ['the id of a cancellation is unknown', 'POST', '/v1beta/batches/abc:cancel', '{}', 404, 'does not exist'],
    ['the action is missing', 'POST', '/v1beta/batches/abc', '{}', 404, 'must end in `:cancel`'],
    ['the deleted id is unknown', 'DELETE', '/v1beta/batches/abc', undefined, 404, 'does not exist'],
    ['the id of the results is unknown', 'GET', '/v1beta/files/batch-abc:download', undefined, 404, 'does not exist'],
    ['the results have no metadata', 'GET', '/v1beta/files/batch-abc', undefined, 404, 'must end in `:download`'],
  ])('%s', async (_title, method, path, body, status, message) => {
    const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    const sentHeaders = sent === null ? { 'x-goog-api-key': KEYS.alice } : headers;
    const response = await rig.call(path, { method, headers: sentHeaders, body: sent });
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { error: { status: expect.any(String), message: expect.stringContaining(message) } },
    ]);
    expect(await rig.storedFiles()).toEqual([]);
  });
});
