import { afterAll, beforeAll, describe } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../../../test/api-rig.ts';
import { post, raw, send, testRejections } from '../../../test/bad-request.ts';
import { head } from '../../../test/raw-http.ts';

let rig: ApiRig;
beforeAll(async () => {
  const upstreams = { images: { kind: 'chat-completions', base_url: 'http://images.test/v1' } };
  const models = [{ id: 'image-only', routes: [{ upstream: 'images', model: 'p' }] }];
  rig = await apiRig({ limits: SMALL_LIMITS, config: { upstreams, models } });
});
afterAll(() => rig.close());

const deep = '['.repeat(1_500) + ']'.repeat(1_500);
const reference = (image_url: unknown) => post({ prompt: 'a', input_reference: { image_url } });

describe('POST /v1/videos', () => {
  describe('JSON body', () => {
    testRejections(() => rig, {
      400: [
        ['the JSON object is empty', post({}), 'invalid_request', 'prompt'],
        ['the JSON body is empty', post(''), 'invalid_request', 'prompt'],
        ['body and content type are missing', send('POST', '/v1/videos'), 'invalid_request', 'prompt'],
        ['prompt is blank', post({ prompt: ' \n' }), 'invalid_request', 'prompt'],
        ['prompt is a number', post({ prompt: 5 }), 'invalid_request', 'prompt'],
        ['prompt is an array', post({ prompt: ['a'] }), 'invalid_request', 'prompt'],
        ['model is an object', post({ prompt: 'a', model: {} }), 'invalid_request', 'model'],
        ['the model generates only images', post({ prompt: 'a', model: 'image-only' }), 'invalid_request', 'model'],
        ['seconds is not a number', post({ prompt: 'a', seconds: 'four' }), 'invalid_request', 'seconds'],
        ['seconds is negative', post({ prompt: 'a', seconds: -4 }), 'invalid_request', 'seconds'],
        ['seconds is too large', post({ prompt: 'a', seconds: '99999' }), 'invalid_request', 'seconds'],
        ['size is not a resolution', post({ prompt: 'a', size: 'huge' }), 'invalid_request', 'size'],
        ['a label is too long', post({ prompt: 'a', labels: { a: 'x'.repeat(513) } }), 'invalid_request', 'labels[a]'],
        ["a label's key is empty", post({ prompt: 'a', labels: { '': 'x' } }), 'invalid_request', 'labels[]'],
        ["a label's key has a space", post({ prompt: 'a', labels: { 'a b': 'x' } }), 'invalid_request', 'labels[a b]'],
        [
          'there are 17 labels',
          post({ prompt: 'a', labels: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, ''])) }),
          'invalid_request',
          'labels',
        ],
        ['priority is too high', post({ prompt: 'a', priority: 101 }), 'invalid_request', 'priority'],
        ['metadata is a string', post({ prompt: 'a', metadata: 'x' }), 'invalid_request', 'metadata'],
        ['metadata is an array', post({ prompt: 'a', metadata: [1] }), 'invalid_request', 'metadata'],
        ['metadata is nested 1,500 levels deep', post(`{"prompt":"a","metadata":{"a":${deep}}}`), 'invalid_request'],
        ['an unknown field is nested 1,500 levels deep', post(`{"prompt":"a","b":${deep}}`), 'invalid_request'],
        ['the JSON is truncated', post('{"prompt":'), 'invalid_request'],
        ['the JSON is a string', post('"a kite"'), 'invalid_request'],
        ['the JSON is an array', post('[]'), 'invalid_request'],
        [
          'the URL of input_reference has credentials',
          reference('https://user:secret@pics.test/a.png'),
          'invalid_request',
          'input_reference[image_url]',
        ],
        [
          'the URL scheme of input_reference is not HTTP',
          reference('file:///etc/passwd'),
          'invalid_request',
          'input_reference[image_url]',
        ],
        ['image_url of input_reference is a number', reference(5), 'invalid_request', 'input_reference'],
        [
          'the data URL of input_reference is not an image',
          reference(`data:image/png;base64,${Buffer.from('<svg>not a raster</svg>').toString('base64')}`),
          'invalid_request',
          'input_reference[image_url]',
        ],
        [
          'the data URL of input_reference has invalid base64',
          reference('data:image/png;base64,%%%'),
          'invalid_request',
          'input_reference[image_url]',
        ],
        [
          'the data URL of input_reference is plain text',
          reference('data:text/plain,hello'),
          'invalid_request',
          'input_reference[image_url]',
        ],
        [
          'input_reference has a file_id',
          post({ prompt: 'a', input_reference: { file_id: 'f' } }),
          'invalid_request',
          'input_reference[file_id]',
        ],
        [
          'Idempotency-Key is too long',
          post({ prompt: 'a' }, { 'idempotency-key': 'k'.repeat(256) }),
          'invalid_request',
          'Idempotency-Key',
        ],
        [
          'Idempotency-Key is empty',
          post({ prompt: 'a' }, { 'idempotency-key': '' }),
          'invalid_request',
          'Idempotency-Key',
        ],
        [
          'Content-Length is repeated',
          raw(head(KEYS.alice, 'application/json', 'content-length: 2', 'content-length: 3'), '{}'),
          'invalid_request',
        ],
        [
          'Content-Length is combined with chunks',
          raw(
            head(KEYS.alice, 'application/json', 'content-length: 2', 'transfer-encoding: chunked'),
            '2\r\n{}\r\n0\r\n\r\n',
          ),
          'invalid_request',
        ],
        [
          'the chunk size is invalid',
          raw(head(KEYS.alice, 'application/json', 'transfer-encoding: chunked'), 'zz\r\n'),
          'invalid_request',
        ],
      ],
      401: [['the API key is missing', send('POST', '/v1/videos', { headers: {}, body: 'x' }), 'invalid_api_key']],
      403: [
        [
          'the key does not allow the model',
          post({ prompt: 'a', model: 'clip' }, { authorization: `Bearer ${KEYS.carol}` }),
          'model_not_allowed',
          'model',
        ],
      ],
      404: [['model is not configured', post({ prompt: 'a', model: 'vidoe' }), 'model_not_found', 'model']],
      413: [
        ['the JSON body is too large', post({ prompt: 'a'.repeat(5_000) }), 'payload_too_large'],
        [
          'the JSON body is chunked and too large',
          raw(
            head(KEYS.alice, 'application/json', 'transfer-encoding: chunked'),
            '1400\r\n',
            'x'.repeat(0x1400),
            '\r\n0\r\n\r\n',
          ),
          'payload_too_large',
        ],
      ],
      415: [
        ['the JSON body is compressed', post('{}', { 'content-encoding': 'deflate' }), 'unsupported_media_type'],
        ['the body is plain text', post('a kite', { 'content-type': 'text/plain' }), 'unsupported_media_type'],
        [
          'the body is a URL-encoded form',
          post('prompt=a', { 'content-type': 'application/x-www-form-urlencoded' }),
          'unsupported_media_type',
        ],
        ['Content-Type is invalid', post('{}', { 'content-type': ';;;' }), 'unsupported_media_type'],
      ],
    });
  });
});

describe('PUT /v1/videos', () => {
  testRejections(() => rig, {
    405: [['the method is not supported', send('PUT', '/v1/videos'), 'method_not_allowed']],
  });
});
