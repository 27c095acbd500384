import { afterAll, beforeAll, it } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../test/api-rig.ts';
import { type BadRequest, chunked, expectBad, form, parts, png, post, prompt, raw } from '../test/bad-request.ts';
import { field, file, head, multipartRequest, PNG } from '../test/raw-http.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS });
});
afterAll(() => rig.close());

const reference = (image_url: unknown) => post({ prompt: 'a', input_reference: { image_url } });

const TABLE: BadRequest[] = [
  // Multipart
  ['an empty form', parts(), 400, 'invalid_request', 'prompt'],
  [
    'a form without a byte',
    raw(head(KEYS.alice, 'multipart/form-data; boundary=b', 'content-length: 0')),
    400,
    'invalid_request',
    'prompt',
  ],
  [
    'a form without a boundary',
    raw(head(KEYS.alice, 'multipart/form-data', 'content-length: 2'), 'xx'),
    400,
    'invalid_request',
    null,
  ],
  [
    'a form that is no form',
    raw(head(KEYS.alice, 'multipart/form-data; boundary=b', 'content-length: 7'), 'nothing'),
    400,
    'invalid_request',
    null,
  ],
  [
    'a form with another boundary',
    raw(head(KEYS.alice, 'multipart/form-data; boundary=c', 'content-length: 12'), '--b\r\n\r\n--b--'),
    400,
    'invalid_request',
    null,
  ],
  ['a form without its end', raw(multipartRequest(KEYS.alice, [field(...prompt)], '')), 400, 'invalid_request', null],
  [
    'a file without the end of the form',
    raw(multipartRequest(KEYS.alice, [field(...prompt), file('input_reference')], '')),
    400,
    'invalid_request',
    null,
  ],
  [
    'a field without a name',
    parts(field(...prompt), 'content-disposition: form-data\r\n\r\nx'),
    400,
    'invalid_request',
    null,
  ],
  [
    'a file without a name',
    parts(field(...prompt), 'content-disposition: form-data; filename="a.png"\r\n\r\nx'),
    400,
    'invalid_request',
    null,
  ],
  ['a form without a prompt or a picture', form(['model', 'film']), 400, 'invalid_request', 'prompt'],
  [
    'an empty prompt, after a good file',
    form(['input_reference', png], ['prompt', ' ']),
    400,
    'invalid_request',
    'prompt',
  ],
  ['a field given twice', form(prompt, prompt), 400, 'invalid_request', 'prompt'],
  [
    'a field given twice, after a good file',
    form(['input_reference', png], prompt, prompt),
    400,
    'invalid_request',
    'prompt',
  ],
  ['a field named like a prototype', form(prompt, ['__proto__', 'x']), 400, 'invalid_request', null],
  [
    'brackets that do not fit together',
    form(prompt, ['metadata', '{}'], ['metadata[a]', '1']),
    400,
    'invalid_request',
    'metadata[a]',
  ],
  [
    'a list where an object belongs',
    form(prompt, ['input_reference[]', 'x']),
    400,
    'invalid_request',
    'input_reference',
  ],
  [
    'a JSON part that is none',
    parts(`content-disposition: form-data; name="metadata"\r\ncontent-type: application/json\r\n\r\n{`),
    400,
    'invalid_request',
    null,
  ],
  [
    'too many fields',
    form(prompt, ...Array.from({ length: 201 }, (_, i): [string, string] => [`f${i}`, 'x'])),
    400,
    'invalid_request',
    null,
  ],
  [
    'too many fields, after a good file',
    form(['input_reference', png], ...Array.from({ length: 201 }, (_, i): [string, string] => [`f${i}`, 'x'])),
    400,
    'invalid_request',
    null,
  ],
  [
    'two files',
    form(prompt, ['input_reference', png], ['input_reference', png]),
    400,
    'unsupported_parameter',
    'images[1]',
  ],
  ['a file in a field that takes none', form(prompt, ['metadata', png]), 400, 'invalid_request', 'metadata'],
  [
    'a file and a reference',
    form(prompt, ['input_reference', png], ['input_reference[image_url]', 'https://pics.test/a.png']),
    400,
    'invalid_request',
    'input_reference',
  ],
  [
    'a file that is no picture',
    form(prompt, ['input_reference', new Blob(['just some text, not a picture'])]),
    400,
    'invalid_request',
    'input_reference',
  ],
  ['an empty file', form(prompt, ['input_reference', new Blob([])]), 400, 'invalid_request', 'input_reference'],
  [
    'a file larger than allowed',
    form(prompt, ['input_reference', new Blob([PNG, Buffer.alloc(30_000)])]),
    413,
    'payload_too_large',
    null,
  ],
  [
    'a file larger than allowed, of unknown length',
    chunked(
      Buffer.concat([
        Buffer.from('--b\r\n'),
        file('input_reference', Buffer.concat([PNG, Buffer.alloc(30_000)])),
        Buffer.from('\r\n--b--\r\n'),
      ]),
    ),
    413,
    'payload_too_large',
    null,
  ],
  [
    'parts that nobody reads, larger than allowed',
    chunked(Buffer.from(`--b\r\nx: y\r\n\r\n${'x'.repeat(30_000)}\r\n--b--\r\n`)),
    413,
    'payload_too_large',
    null,
  ],
  ['one field larger than allowed', form(['prompt', 'a'.repeat(5_000)]), 413, 'payload_too_large', null],
  [
    'fields larger than allowed together',
    form(prompt, ['a', 'x'.repeat(3_000)], ['b', 'x'.repeat(3_000)]),
    413,
    'payload_too_large',
    null,
  ],
  [
    'a good file, then a bad size',
    form(['input_reference', png], prompt, ['size', 'huge']),
    400,
    'invalid_request',
    'size',
  ],
  [
    'a good file for a model that is not served',
    form(['input_reference', png], prompt, ['model', 'no']),
    404,
    'model_not_found',
    'model',
  ],
  // Pictures by reference
  [
    'a picture by a URL with credentials',
    reference('https://user:secret@pics.test/a.png'),
    400,
    'invalid_request',
    'input_reference[image_url]',
  ],
  [
    'a picture by another scheme',
    reference('file:///etc/passwd'),
    400,
    'invalid_request',
    'input_reference[image_url]',
  ],
  ['a picture by a number', reference(5), 400, 'invalid_request', 'input_reference'],
  [
    'a data URL that is no picture',
    reference(`data:image/png;base64,${Buffer.from('<svg>not a raster</svg>').toString('base64')}`),
    400,
    'invalid_request',
    'input_reference[image_url]',
  ],
  [
    'a data URL that is no base64',
    reference('data:image/png;base64,%%%'),
    400,
    'invalid_request',
    'input_reference[image_url]',
  ],
  [
    'a data URL in plain text',
    reference('data:text/plain,hello'),
    400,
    'invalid_request',
    'input_reference[image_url]',
  ],
  [
    'a picture by file_id',
    post({ prompt: 'a', input_reference: { file_id: 'f' } }),
    400,
    'invalid_request',
    'input_reference[file_id]',
  ],
];

it.each(TABLE)('%s is refused in the shape of the protocol and leaves nothing behind', (...row) => expectBad(rig, row));
