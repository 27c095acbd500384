import { afterAll, beforeAll, describe } from 'vitest';
import { type ApiRig, apiRig, SMALL_LIMITS } from '../../../test/api-rig.ts';
import { png, prompt, type Send, send, sendJson, testRejections } from '../../../test/bad-request.ts';
import { PNG } from '../../../test/raw-http.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS, images: true });
});
afterAll(() => rig.close());

const PATH = '/v1/images/edits';

/** Edits images with a form, with the model `image-edit` unless `fields` has another. */
function edit(...fields: [string, string | Blob][]): Send {
  const body = new FormData();
  if (fields.every(([name]) => name !== 'model')) body.append('model', 'image-edit');
  for (const [name, value] of fields) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, value, 'a.png');
  }
  return send('POST', PATH, { body });
}

describe('POST /v1/images/edits', () => {
  testRejections(() => rig, {
    400: [
      ['the image is missing', edit(prompt), 'invalid_request', 'image'],
      ['prompt is missing', edit(['image', png]), 'invalid_request', 'prompt'],
      ['prompt is blank', edit(['image', png], ['prompt', ' ']), 'invalid_request', 'prompt'],
      ['the image is a text file', edit(prompt, ['image', new Blob(['text'])]), 'invalid_request', 'image'],
      ['the image is empty', edit(prompt, ['image', new Blob([])]), 'invalid_request', 'image'],
      ['n is 0', edit(prompt, ['image', png], ['n', '0']), 'invalid_request', 'n'],
      ['size is not a resolution', edit(prompt, ['image', png], ['size', 'huge']), 'invalid_request', 'size'],
      ['no upstream accepts a mask', edit(prompt, ['image', png], ['mask', png]), 'unsupported_parameter', 'mask'],
      [
        'the image of a JSON body is not an image',
        sendJson('POST', PATH, { model: 'image-edit', prompt: 'a', image: 'data:text/plain,hello' }),
        'invalid_request',
        'image',
      ],
    ],
    401: [['the API key is missing', sendJson('POST', PATH, {}, { authorization: '' }), 'invalid_api_key']],
    404: [['model is not configured', edit(prompt, ['image', png], ['model', 'no']), 'model_not_found', 'model']],
    413: [
      ['the file is too large', edit(prompt, ['image', new Blob([PNG, Buffer.alloc(30_000)])]), 'payload_too_large'],
    ],
  });
});
