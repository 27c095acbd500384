import { afterAll, beforeAll, describe } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../../../test/api-rig.ts';
import { chunked, form, parts, png, prompt, raw, testRejections } from '../../../test/bad-request.ts';
import { field, file, head, multipartRequest, PNG } from '../../../test/raw-http.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS });
});
afterAll(() => rig.close());

describe('POST /v1/videos', () => {
  describe('form', () => {
    testRejections(() => rig, {
      400: [
        ['the form is empty', parts(), 'invalid_request', 'prompt'],
        [
          'the body is empty',
          raw(head(KEYS.alice, 'multipart/form-data; boundary=b', 'content-length: 0')),
          'invalid_request',
          'prompt',
        ],
        [
          'the boundary is missing',
          raw(head(KEYS.alice, 'multipart/form-data', 'content-length: 2'), 'xx'),
          'invalid_request',
        ],
        [
          'the body is not a form',
          raw(head(KEYS.alice, 'multipart/form-data; boundary=b', 'content-length: 7'), 'nothing'),
          'invalid_request',
        ],
        [
          'the boundary does not match',
          raw(head(KEYS.alice, 'multipart/form-data; boundary=c', 'content-length: 12'), '--b\r\n\r\n--b--'),
          'invalid_request',
        ],
        ['the final boundary is missing', raw(multipartRequest(KEYS.alice, [field(...prompt)], '')), 'invalid_request'],
        [
          'the final boundary after a file is missing',
          raw(multipartRequest(KEYS.alice, [field(...prompt), file('input_reference')], '')),
          'invalid_request',
        ],
        ['a field has no name', parts(field(...prompt), 'content-disposition: form-data\r\n\r\nx'), 'invalid_request'],
        [
          'a file has no name',
          parts(field(...prompt), 'content-disposition: form-data; filename="a.png"\r\n\r\nx'),
          'invalid_request',
        ],
        ['prompt and image are missing', form(['model', 'video']), 'invalid_request', 'prompt'],
        [
          'prompt is blank, after a valid file',
          form(['input_reference', png], ['prompt', ' ']),
          'invalid_request',
          'prompt',
        ],
        ['prompt is repeated', form(prompt, prompt), 'invalid_request', 'prompt'],
        [
          'prompt is repeated, after a valid file',
          form(['input_reference', png], prompt, prompt),
          'invalid_request',
          'prompt',
        ],
        ['a field is named __proto__', form(prompt, ['__proto__', 'x']), 'invalid_request'],
        [
          'metadata is both a value and an object',
          form(prompt, ['metadata', '{}'], ['metadata[a]', '1']),
          'invalid_request',
          'metadata[a]',
        ],
        ['input_reference is an array', form(prompt, ['input_reference[]', 'x']), 'invalid_request', 'input_reference'],
        [
          'a JSON part is invalid',
          parts(`content-disposition: form-data; name="metadata"\r\ncontent-type: application/json\r\n\r\n{`),
          'invalid_request',
          'metadata',
        ],
        [
          'the form has too many fields',
          form(prompt, ...Array.from({ length: 201 }, (_, i): [string, string] => [`f${i}`, 'x'])),
          'invalid_request',
        ],
        [
          'the form has too many fields, after a valid file',
          form(['input_reference', png], ...Array.from({ length: 201 }, (_, i): [string, string] => [`f${i}`, 'x'])),
          'invalid_request',
        ],
        [
          'the form has two files',
          form(prompt, ['input_reference', png], ['input_reference', png]),
          'unsupported_parameter',
          'images[1]',
        ],
        ['metadata is a file', form(prompt, ['metadata', png]), 'invalid_request', 'metadata'],
        [
          'input_reference is both a file and a URL',
          form(prompt, ['input_reference', png], ['input_reference[image_url]', 'https://pics.test/a.png']),
          'invalid_request',
          'input_reference',
        ],
        [
          'the file is not an image',
          form(prompt, ['input_reference', new Blob(['just some text, not an image'])]),
          'invalid_request',
          'input_reference',
        ],
        ['the file is empty', form(prompt, ['input_reference', new Blob([])]), 'invalid_request', 'input_reference'],
        [
          'size is not a resolution, after a valid file',
          form(['input_reference', png], prompt, ['size', 'huge']),
          'invalid_request',
          'size',
        ],
      ],
      404: [
        [
          'model is not configured, after a valid file',
          form(['input_reference', png], prompt, ['model', 'no']),
          'model_not_found',
          'model',
        ],
      ],
      413: [
        [
          'the file is too large',
          form(prompt, ['input_reference', new Blob([PNG, Buffer.alloc(30_000)])]),
          'payload_too_large',
        ],
        [
          'the file is chunked and too large',
          chunked(
            Buffer.concat([
              Buffer.from('--b\r\n'),
              file('input_reference', Buffer.concat([PNG, Buffer.alloc(30_000)])),
              Buffer.from('\r\n--b--\r\n'),
            ]),
          ),
          'payload_too_large',
        ],
        [
          'an ignored part is too large',
          chunked(Buffer.from(`--b\r\nx: y\r\n\r\n${'x'.repeat(30_000)}\r\n--b--\r\n`)),
          'payload_too_large',
        ],
        ['a field is too large', form(['prompt', 'a'.repeat(5_000)]), 'payload_too_large'],
        [
          'all fields together are too large',
          form(prompt, ['a', 'x'.repeat(3_000)], ['b', 'x'.repeat(3_000)]),
          'payload_too_large',
        ],
      ],
    });
  });
});
