import { afterAll, beforeAll, describe } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../../../test/api-rig.ts';
import { send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS, images: true });
});
afterAll(() => rig.close());

const PATH = '/v1/images/generations';
const create = (fields: object) => sendJson('POST', PATH, { model: 'image', prompt: 'a', ...fields });
const text = (body: string) => sendJson('POST', PATH, body);
const id = 'image_01hzzzzzzz0123456789abcdef';
const content = (index: string) => send('GET', `${PATH}/${id}/content/${index}`);
const deep = '['.repeat(1_500) + ']'.repeat(1_500);

describe('POST /v1/images/generations', () => {
  testRejections(() => rig, {
    400: [
      ['prompt is missing', sendJson('POST', PATH, { model: 'image' }), 'invalid_request', 'prompt'],
      ['prompt is blank', create({ prompt: ' ' }), 'invalid_request', 'prompt'],
      ['prompt is a number', create({ prompt: 5 }), 'invalid_request', 'prompt'],
      ['n is 0', create({ n: 0 }), 'invalid_request', 'n'],
      ['n is 11', create({ n: 11 }), 'invalid_request', 'n'],
      ['n is a fraction', create({ n: 1.5 }), 'invalid_request', 'n'],
      ['size is not a resolution', create({ size: 'huge' }), 'invalid_request', 'size'],
      ['response_format is unknown', create({ response_format: 'png' }), 'invalid_request', 'response_format'],
      ['output_format is unknown', create({ output_format: 'gif' }), 'invalid_request', 'output_format'],
      ['output_compression is 101', create({ output_compression: 101 }), 'invalid_request', 'output_compression'],
      ['stream is true', create({ stream: true }), 'unsupported_parameter', 'stream'],
      ['metadata is an array', create({ metadata: [1] }), 'invalid_request', 'metadata'],
      ['callback_url is not https', create({ callback_url: 'http://c.test/' }), 'invalid_request', 'callback_url'],
      ['the model generates only videos', create({ model: 'clip-only' }), 'invalid_request', 'model'],
      [
        'the messages of DashScope have no text',
        sendJson('POST', PATH, { model: 'image', input: { messages: [{ role: 'user', content: [] }] } }),
        'invalid_request',
        'input[messages]',
      ],
      ['a field is nested 1,500 levels deep', text(`{"prompt":"a","b":${deep}}`), 'invalid_request'],
      ['the JSON is truncated', text('{"prompt":'), 'invalid_request'],
      ['the JSON is an array', text('[]'), 'invalid_request'],
      [
        'Idempotency-Key is too long',
        sendJson('POST', PATH, { model: 'image', prompt: 'a' }, { 'idempotency-key': 'k'.repeat(256) }),
        'invalid_request',
        'Idempotency-Key',
      ],
    ],
    401: [['the API key is missing', sendJson('POST', PATH, {}, { authorization: '' }), 'invalid_api_key']],
    403: [
      [
        'the key does not allow the model',
        sendJson('POST', PATH, { model: 'image', prompt: 'a' }, { authorization: `Bearer ${KEYS.carol}` }),
        'model_not_allowed',
        'model',
      ],
    ],
    404: [['model is not configured', create({ model: 'no' }), 'model_not_found', 'model']],
    413: [['the JSON body is too large', create({ prompt: 'a'.repeat(5_000) }), 'payload_too_large']],
    415: [['the body is plain text', send('POST', PATH, { body: 'a' }), 'unsupported_media_type']],
  });
});

describe('GET /v1/images/generations/:task_id', () => {
  testRejections(() => rig, {
    404: [
      ['the id is unknown', send('GET', `${PATH}/${id}`), 'image_not_found'],
      ['the id is malformed', send('GET', `${PATH}/1`), 'image_not_found'],
      ['the id is one of a video', send('GET', `${PATH}/${id.replace('image', 'video')}`), 'image_not_found'],
    ],
  });
});

describe('GET /v1/images/generations/:task_id/content/:index', () => {
  testRejections(() => rig, {
    404: [
      ['the id is unknown', content('0'), 'image_not_found'],
      ['the index is not a number', content('x'), 'image_not_found'],
      ['the index is negative', content('-1'), 'image_not_found'],
    ],
  });
});
