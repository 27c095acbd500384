import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../../../test/api-rig.ts';
import { send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS });
});
afterAll(() => rig.close());

/** The generic error format repeats the code and the message. */
const ENVELOPE = { code: expect.any(String), message: expect.any(String) };
const PATH = '/v1/video/generations';
const create = (fields: object) => sendJson('POST', PATH, { model: 'video', prompt: 'a', ...fields });

describe('POST /v1/video/generations', () => {
  testRejections(
    () => rig,
    {
      400: [
        ['prompt is missing', create({ prompt: undefined }), 'invalid_request', 'prompt'],
        ['prompt is blank', create({ prompt: ' ' }), 'invalid_request', 'prompt'],
        ['model is an object', create({ model: {} }), 'invalid_request', 'model'],
        ['duration is not a number', create({ duration: 'five' }), 'invalid_request', 'duration'],
        ['metadata is a string', create({ metadata: 'x' }), 'invalid_request', 'metadata'],
        ['the JSON is truncated', sendJson('POST', PATH, '{'), 'invalid_request'],
        ['the JSON is an array', sendJson('POST', PATH, '[]'), 'invalid_request'],
      ],
      401: [['the API key is missing', sendJson('POST', PATH, {}, { authorization: '' }), 'invalid_api_key']],
      403: [
        [
          'the key does not allow the model',
          sendJson('POST', PATH, { model: 'clip', prompt: 'a' }, { authorization: `Bearer ${KEYS.carol}` }),
          'model_not_allowed',
          'model',
        ],
      ],
      404: [['model is not configured', create({ model: 'no' }), 'model_not_found', 'model']],
      413: [['the body is too large', create({ prompt: 'a'.repeat(5_000) }), 'payload_too_large']],
      415: [['the body is plain text', send('POST', PATH, { body: 'a' }), 'unsupported_media_type']],
    },
    ENVELOPE,
  );
});

describe('GET /v1/video/generations/:task_id', () => {
  testRejections(
    () => rig,
    {
      404: [
        ['the id is unknown', send('GET', `${PATH}/video_01hzzzzzzz0123456789abcdef`), 'video_not_found'],
        ['the id is malformed', send('GET', `${PATH}/1`), 'video_not_found'],
      ],
    },
    ENVELOPE,
  );
});
