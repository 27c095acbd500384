import { afterAll, beforeAll, it } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../test/api-rig.ts';
import { ask, auth, type BadRequest, expectBad, post, raw } from '../test/bad-request.ts';
import { head } from '../test/raw-http.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS });
});
afterAll(() => rig.close());

const id = 'video_01hzzzzzzz0123456789abcdef';
const deep = '['.repeat(1_500) + ']'.repeat(1_500);

const TABLE: BadRequest[] = [
  // Fields
  ['an empty JSON object', post({}), 400, 'invalid_request', 'prompt'],
  ['an empty JSON body', post(''), 400, 'invalid_request', 'prompt'],
  ['no body and no type', ask('POST', '/v1/videos'), 400, 'invalid_request', 'prompt'],
  ['a blank prompt', post({ prompt: ' \n' }), 400, 'invalid_request', 'prompt'],
  ['a prompt that is a number', post({ prompt: 5 }), 400, 'invalid_request', 'prompt'],
  ['a prompt that is a list', post({ prompt: ['a'] }), 400, 'invalid_request', 'prompt'],
  ['a model that is an object', post({ prompt: 'a', model: {} }), 400, 'invalid_request', 'model'],
  ['a model that is not served', post({ prompt: 'a', model: 'flim' }), 404, 'model_not_found', 'model'],
  [
    'a model that the key may not use',
    post({ prompt: 'a', model: 'clip' }, { authorization: `Bearer ${KEYS.carol}` }),
    403,
    'model_not_allowed',
    'model',
  ],
  ['seconds that are no number', post({ prompt: 'a', seconds: 'four' }), 400, 'invalid_request', 'seconds'],
  ['seconds below zero', post({ prompt: 'a', seconds: -4 }), 400, 'invalid_request', 'seconds'],
  ['seconds without end', post({ prompt: 'a', seconds: '99999' }), 400, 'invalid_request', 'seconds'],
  ['a size that is a word', post({ prompt: 'a', size: 'huge' }), 400, 'invalid_request', 'size'],
  ['metadata that is text', post({ prompt: 'a', metadata: 'x' }), 400, 'invalid_request', 'metadata'],
  ['metadata that is a list', post({ prompt: 'a', metadata: [1] }), 400, 'invalid_request', 'metadata'],
  ['metadata nested 1,500 deep', post(`{"prompt":"a","metadata":{"a":${deep}}}`), 400, 'invalid_request', null],
  ['an unknown field nested 1,500 deep', post(`{"prompt":"a","b":${deep}}`), 400, 'invalid_request', null],
  // JSON
  ['JSON that is cut', post('{"prompt":'), 400, 'invalid_request', null],
  ['JSON that is a text', post('"a kite"'), 400, 'invalid_request', null],
  ['JSON that is a list', post('[]'), 400, 'invalid_request', null],
  ['JSON larger than allowed', post({ prompt: 'a'.repeat(5_000) }), 413, 'payload_too_large', null],
  [
    'JSON larger than allowed, in chunks of unknown length',
    raw(
      head(KEYS.alice, 'application/json', 'transfer-encoding: chunked'),
      '1400\r\n',
      'x'.repeat(0x1400),
      '\r\n0\r\n\r\n',
    ),
    413,
    'payload_too_large',
    null,
  ],
  ['JSON that is compressed', post('{}', { 'content-encoding': 'gzip' }), 415, 'unsupported_media_type', null],
  ['text', post('a kite', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type', null],
  [
    'a URL-encoded form',
    post('prompt=a', { 'content-type': 'application/x-www-form-urlencoded' }),
    415,
    'unsupported_media_type',
    null,
  ],
  ['a Content-Type that is none', post('{}', { 'content-type': ';;;' }), 415, 'unsupported_media_type', null],
  // Headers and credentials
  ['no key', ask('POST', '/v1/videos', { headers: {}, body: 'x' }), 401, 'invalid_api_key', null],
  [
    'an unknown key',
    ask('GET', '/v1/videos', { headers: { authorization: 'Bearer sk-wrong' } }),
    401,
    'invalid_api_key',
    null,
  ],
  [
    'an empty Bearer',
    ask('GET', '/v1/videos', { headers: { authorization: 'Bearer ' } }),
    401,
    'invalid_api_key',
    null,
  ],
  [
    'Basic credentials',
    ask('GET', '/v1/videos', { headers: { authorization: `Basic ${btoa(`alice:${KEYS.alice}`)}` } }),
    401,
    'invalid_api_key',
    null,
  ],
  [
    'a wrong Bearer beside a good x-api-key',
    ask('GET', '/v1/videos', { headers: { authorization: 'Bearer sk-wrong', 'x-api-key': KEYS.alice } }),
    401,
    'invalid_api_key',
    null,
  ],
  [
    'two x-api-keys',
    raw(
      `GET /v1/videos HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEYS.alice}\r\nx-api-key: ${KEYS.bob}\r\nconnection: close\r\n\r\n`,
    ),
    401,
    'invalid_api_key',
    null,
  ],
  [
    'two keys in the query',
    ask('GET', `/v1/videos?key=${KEYS.alice}&key=${KEYS.bob}`, { headers: {} }),
    401,
    'invalid_api_key',
    null,
  ],
  [
    'headers larger than allowed',
    ask('GET', '/v1/videos', { headers: { ...auth, 'x-long': 'x'.repeat(9_000) } }),
    431,
    'headers_too_large',
    null,
  ],
  [
    'an Idempotency-Key that is too long',
    post({ prompt: 'a' }, { 'idempotency-key': 'k'.repeat(256) }),
    400,
    'invalid_request',
    'Idempotency-Key',
  ],
  [
    'an empty Idempotency-Key',
    post({ prompt: 'a' }, { 'idempotency-key': '' }),
    400,
    'invalid_request',
    'Idempotency-Key',
  ],
  // HTTP itself
  ['what is no HTTP', raw('EHLO gateway\r\n\r\n'), 400, 'invalid_request', null],
  ['a request without Host', raw('GET /v1/videos HTTP/1.1\r\nconnection: close\r\n\r\n'), 400, 'invalid_request', null],
  [
    'two lengths of one body',
    raw(head(KEYS.alice, 'application/json', 'content-length: 2', 'content-length: 3'), '{}'),
    400,
    'invalid_request',
    null,
  ],
  [
    'a length beside chunks',
    raw(
      head(KEYS.alice, 'application/json', 'content-length: 2', 'transfer-encoding: chunked'),
      '2\r\n{}\r\n0\r\n\r\n',
    ),
    400,
    'invalid_request',
    null,
  ],
  [
    'chunks that are none',
    raw(head(KEYS.alice, 'application/json', 'transfer-encoding: chunked'), 'zz\r\n'),
    400,
    'invalid_request',
    null,
  ],
  // Paths and ids
  ['an unknown path', ask('GET', '/v1/vidoes'), 404, 'not_found', null],
  ['an unknown path without a key', ask('GET', '/nowhere', { headers: {} }), 404, 'not_found', null],
  ['a method that the path does not take', ask('PUT', '/v1/videos'), 405, 'method_not_allowed', null],
  ['a path that cannot be decoded', ask('GET', '/v1/videos/%zz'), 400, 'invalid_request', null],
  ['an id that is not there', ask('GET', `/v1/videos/${id}`), 404, 'video_not_found', null],
  ['an id of another shape', ask('GET', '/v1/videos/1'), 404, 'video_not_found', null],
  ['an id with a slash', ask('GET', '/v1/videos/..%2f..%2fetc'), 404, 'video_not_found', null],
  ['an id with wildcards', ask('GET', '/v1/videos/video_*'), 404, 'video_not_found', null],
  ['an id with a line break', ask('GET', '/v1/videos/a%0d%0ab'), 404, 'video_not_found', null],
  ['an id longer than any path', ask('GET', `/v1/videos/${'a'.repeat(2_000)}`), 404, 'not_found', null],
  ['an empty id', ask('GET', '/v1/videos/'), 404, 'video_not_found', null],
  ['the content of nothing', ask('GET', `/v1/videos/${id}/content`), 404, 'video_not_found', null],
  ['the deletion of nothing', ask('DELETE', `/v1/videos/${id}`), 404, 'video_not_found', null],
  ['the cancelation of nothing', ask('POST', `/v1/videos/${id}/cancel`), 404, 'video_not_found', null],
  [
    'a cancelation with a broken body',
    ask('POST', `/v1/videos/${id}/cancel`, { body: '{', headers: { ...auth, 'content-type': 'application/json' } }),
    400,
    'invalid_request',
    null,
  ],
  // Lists
  ['a limit of 0', ask('GET', '/v1/videos?limit=0'), 400, 'invalid_request', 'limit'],
  ['a limit of 101', ask('GET', '/v1/videos?limit=101'), 400, 'invalid_request', 'limit'],
  ['a limit that is a word', ask('GET', '/v1/videos?limit=all'), 400, 'invalid_request', 'limit'],
  ['two limits', ask('GET', '/v1/videos?limit=1&limit=2'), 400, 'invalid_request', 'limit'],
  ['another order', ask('GET', '/v1/videos?order=random'), 400, 'invalid_request', 'order'],
  ['an after that is no id', ask('GET', '/v1/videos?after=%5Bx'), 400, 'invalid_request', 'after'],
];

it.each(TABLE)('%s is refused in the shape of the protocol and leaves nothing behind', (...row) => expectBad(rig, row));
