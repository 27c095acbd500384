import { afterAll, beforeAll, describe } from 'vitest';
import { type ApiRig, apiRig, SMALL_LIMITS } from '../../../test/api-rig.ts';
import { post, testRejections } from '../../../test/bad-request.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS });
});
afterAll(() => rig.close());

const reference = (image_url: unknown) => post({ prompt: 'a', input_reference: { image_url } });

describe('POST /v1/videos (input_reference)', () => {
  testRejections(() => rig, {
    400: [
      [
        'the URL has credentials',
        reference('https://user:secret@pics.test/a.png'),
        'invalid_request',
        'input_reference[image_url]',
      ],
      ['the URL scheme is not HTTP', reference('file:///etc/passwd'), 'invalid_request', 'input_reference[image_url]'],
      ['image_url is a number', reference(5), 'invalid_request', 'input_reference'],
      [
        'the data URL is not an image',
        reference(`data:image/png;base64,${Buffer.from('<svg>not a raster</svg>').toString('base64')}`),
        'invalid_request',
        'input_reference[image_url]',
      ],
      [
        'the data URL has invalid base64',
        reference('data:image/png;base64,%%%'),
        'invalid_request',
        'input_reference[image_url]',
      ],
      [
        'the data URL is plain text',
        reference('data:text/plain,hello'),
        'invalid_request',
        'input_reference[image_url]',
      ],
      [
        'the image is referenced by file_id',
        post({ prompt: 'a', input_reference: { file_id: 'f' } }),
        'invalid_request',
        'input_reference[file_id]',
      ],
    ],
  });
});
