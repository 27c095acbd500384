import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../../../test/api-rig.ts';
import { type BadRequest, send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS });
});
afterAll(() => rig.close());

/** Kling's error format. */
const ENVELOPE = { code: expect.any(Number), message: expect.any(String), request_id: expect.stringMatching(/^req_/) };
const IMAGE = 'https://pics.test/a.png';

describe.each(['/kling/v1/videos', '/provider-a/v1/videos'])('%s', (root) => {
  const create = (name: string) => (fields: object) =>
    sendJson('POST', `${root}/${name}`, { model_name: 'video', prompt: 'a', ...fields });

  /** Requests that both endpoints reject, and those that only one rejects with 400. */
  function requests(name: string, fields: object, own: BadRequest[]): Record<number, BadRequest[]> {
    const path = `${root}/${name}`;
    const call = (more: object) => create(name)({ ...fields, ...more });
    return {
      400: [
        ['prompt is too long', call({ prompt: 'a'.repeat(2_501) }), 'invalid_request', 'prompt'],
        ['prompt is a number', call({ prompt: 5 }), 'invalid_request', 'prompt'],
        ['duration is not a number', call({ duration: 'five' }), 'invalid_request', 'duration'],
        ['aspect_ratio is not a ratio', call({ aspect_ratio: 'wide' }), 'invalid_request', 'aspect_ratio'],
        ['sound is unknown', call({ sound: 'loud' }), 'invalid_request', 'sound'],
        ['mode is unknown', call({ mode: 'max' }), 'invalid_request', 'mode'],
        ['cfg_scale is above 1', call({ cfg_scale: 1.5 }), 'invalid_request', 'cfg_scale'],
        ['external_task_id is empty', call({ external_task_id: '' }), 'invalid_request', 'external_task_id'],
        [
          'external_task_id looks like a task id',
          call({ external_task_id: 'video_1' }),
          'invalid_request',
          'external_task_id',
        ],
        ['callback_url is not https', call({ callback_url: 'http://c.test/' }), 'invalid_request', 'callback_url'],
        ['the JSON is truncated', sendJson('POST', path, '{'), 'invalid_request'],
        ['the JSON is an array', sendJson('POST', path, '[]'), 'invalid_request'],
        ...own,
      ],
      401: [['the API key is missing', sendJson('POST', path, {}, { authorization: '' }), 'invalid_api_key']],
      403: [
        [
          'the key does not allow the model',
          sendJson(
            'POST',
            path,
            { model_name: 'clip', prompt: 'a', ...fields },
            { authorization: `Bearer ${KEYS.carol}` },
          ),
          'model_not_allowed',
          'model_name',
        ],
      ],
      404: [['model_name is not configured', call({ model_name: 'no' }), 'model_not_found', 'model_name']],
      413: [['the body is too large', call({ prompt: 'a'.repeat(5_000) }), 'payload_too_large']],
      415: [['the body is plain text', send('POST', path, { body: 'a' }), 'unsupported_media_type']],
    };
  }

  describe(`POST ${root}/text2video`, () => {
    const text = create('text2video');
    const own: BadRequest[] = [
      ['prompt is missing', text({ prompt: undefined }), 'invalid_request', 'prompt'],
      ['the request has an image', text({ image: IMAGE }), 'invalid_request', 'image'],
    ];
    testRejections(() => rig, requests('text2video', {}, own), ENVELOPE);
  });

  describe(`POST ${root}/image2video`, () => {
    const image = create('image2video');
    const own: BadRequest[] = [
      ['the image is missing', image({}), 'invalid_request', 'image'],
      ['the image is neither a URL nor base64', image({ image: '%%%' }), 'invalid_request', 'image'],
      ['the image is a number', image({ image: 5 }), 'invalid_request', 'image'],
      [
        'image_tail and camera_control are combined',
        image({ image: IMAGE, image_tail: IMAGE, camera_control: { type: 'down_back' } }),
        'invalid_request',
        'camera_control',
      ],
    ];
    testRejections(() => rig, requests('image2video', { image: IMAGE }, own), ENVELOPE);
  });

  describe.each(['text2video', 'image2video'])(`GET ${root}/%s/:task_id`, (name) => {
    testRejections(
      () => rig,
      {
        404: [
          ['the id is unknown', send('GET', `${root}/${name}/video_01hzzzzzzz0123456789abcdef`), 'video_not_found'],
          ['the external_task_id is unknown', send('GET', `${root}/${name}/mine`), 'video_not_found'],
        ],
      },
      ENVELOPE,
    );
  });
});
