import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../../../test/api-rig.ts';
import { send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS });
});
afterAll(() => rig.close());

/** Volcengine's error format. */
const ENVELOPE = {
  code: expect.any(Number),
  status: expect.any(Number),
  message: expect.any(String),
  request_id: expect.stringMatching(/^req_/),
  time_elapsed: '0s',
  data: null,
};
const VERSION = '&Version=2022-08-31';

describe.each(['/jimeng/', '/jimeng', '/provider-b/', '/provider-b'])('%s', (root) => {
  const result = (fields: object) =>
    sendJson('POST', `${root}?Action=CVSync2AsyncGetResult${VERSION}`, { req_key: 'video', ...fields });

  describe(`POST ${root}?Action=CVSync2AsyncSubmitTask`, () => {
    const action = `${root}?Action=CVSync2AsyncSubmitTask`;
    const submit = (fields: object) => sendJson('POST', action + VERSION, { req_key: 'video', prompt: 'a', ...fields });
    testRejections(
      () => rig,
      {
        400: [
          [
            'Version is missing',
            sendJson('POST', action, { req_key: 'video', prompt: 'a' }),
            'invalid_request',
            'Version',
          ],
          ['prompt and image are missing', submit({ prompt: undefined }), 'invalid_request', 'prompt'],
          ['prompt is a number', submit({ prompt: 5 }), 'invalid_request', 'prompt'],
          ['req_key is a number', submit({ req_key: 5 }), 'invalid_request', 'req_key'],
          ['req_key is not configured', submit({ req_key: 'no' }), 'model_not_found', 'req_key'],
          ['frames is not 24 for each second plus 1', submit({ frames: 120 }), 'invalid_request', 'frames'],
          ['aspect_ratio is not a ratio', submit({ aspect_ratio: 'wide' }), 'invalid_request', 'aspect_ratio'],
          [
            'image_urls is a string',
            submit({ image_urls: 'https://pics.test/a.png' }),
            'invalid_request',
            'image_urls',
          ],
          [
            'image_urls and binary_data_base64 are combined',
            submit({ image_urls: ['https://pics.test/a.png'], binary_data_base64: ['aGk='] }),
            'invalid_request',
            'image_urls',
          ],
          [
            'binary_data_base64 has a URL',
            submit({ binary_data_base64: ['https://pics.test/a.png'] }),
            'invalid_request',
            'binary_data_base64[0]',
          ],
          ['metadata is a string', submit({ metadata: 'x' }), 'invalid_request', 'metadata'],
          ['the JSON is truncated', sendJson('POST', action + VERSION, '{'), 'invalid_request'],
          ['the JSON is an array', sendJson('POST', action + VERSION, '[]'), 'invalid_request'],
        ],
        401: [
          ['the API key is missing', sendJson('POST', action + VERSION, {}, { authorization: '' }), 'invalid_api_key'],
        ],
        403: [
          [
            'the key does not allow the model',
            sendJson(
              'POST',
              action + VERSION,
              { req_key: 'clip', prompt: 'a' },
              { authorization: `Bearer ${KEYS.carol}` },
            ),
            'model_not_allowed',
            'req_key',
          ],
        ],
        413: [['the body is too large', submit({ prompt: 'a'.repeat(5_000) }), 'payload_too_large']],
        415: [['the body is plain text', send('POST', action + VERSION, { body: 'a' }), 'unsupported_media_type']],
      },
      ENVELOPE,
    );
  });

  describe(`POST ${root}?Action=CVSync2AsyncGetResult`, () => {
    testRejections(
      () => rig,
      {
        400: [
          ['task_id is missing', result({}), 'invalid_request', 'task_id'],
          ['task_id is a number', result({ task_id: 5 }), 'invalid_request', 'task_id'],
          ['task_id has 257 characters', result({ task_id: 'x'.repeat(257) }), 'invalid_request', 'task_id'],
          ['req_json is not JSON', result({ task_id: 'x', req_json: '{' }), 'invalid_request', 'req_json'],
          ['req_json is an array', result({ task_id: 'x', req_json: '[]' }), 'invalid_request', 'req_json'],
        ],
      },
      ENVELOPE,
    );
  });
});
