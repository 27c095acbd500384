import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onlyGatewayErrors, refusal } from '../../test/refusals.ts';
import { decodeImage2Video, decodeText2Video } from './request.ts';

const fromText = (fields: unknown) => decodeText2Video({ fields, files: [] });
const fromImages = (fields: unknown) => decodeImage2Video({ fields, files: [] });
const image = 'https://pics.test/a.png';
const masks = [{ mask: image, trajectories: [{ x: 1, y: 2 }] }];

const nested: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));

/** Invalid values for fields that both endpoints share. */
const badFields: [field: string, value: unknown, param?: string][] = [
  ['model_name', 5],
  ['model', 'x'.repeat(257)],
  ['model_name', ' '],
  ['model', ' '],
  ['prompt', 'x'.repeat(2_501)],
  ['prompt', ' '],
  ['prompt', 5],
  ['negative_prompt', 'x'.repeat(2_501)],
  ['duration', '5s'],
  ['duration', 0],
  ['aspect_ratio', 'wide'],
  ['seed', 1.5],
  ['sound', true],
  ['sound', 'loud'],
  ['watermark_info', true],
  ['watermark_info', {}, 'watermark_info[enabled]'],
  ['watermark_info', { enabled: 'yes' }, 'watermark_info[enabled]'],
  ['cfg_scale', 1.1],
  ['cfg_scale', 'half'],
  ['mode', 'turbo'],
  ['camera_control', 'pan'],
  ['camera_control', { type: 'spin' }, 'camera_control[type]'],
  ['multi_shot', 'many'],
  ['shot_type', 5],
  ['multi_prompt', 'a'],
  ['voice_list', {}],
  ['element_list', 5],
  ['callback_url', 5],
  ['metadata', 'x'],
  ['metadata', { deep: nested }, 'metadata[deep]'],
  ['external_task_id', 5],
  ['external_task_id', 'a\nb'],
  ['external_task_id', 'x'.repeat(257)],
  ['external_task_id', ''],
  ['external_task_id', '  '],
  ['external_task_id', 'a\ud800b'],
  ['external_task_id', 'video_01'],
  ['external_task_id', 'image_of_mine'],
  ['unknown', 'x'.repeat(65_536)],
];

describe('decodeText2Video', () => {
  it('reads every field', () => {
    const camera_control = { type: 'simple', config: { zoom: 3 } };
    const fields = {
      model_name: 'kling-v2-6',
      model: 'ignored',
      prompt: 'a kite',
      negative_prompt: 'rain',
      duration: '5',
      aspect_ratio: '16:9',
      sound: 'on',
      watermark_info: { enabled: true },
      cfg_scale: 0.5,
      mode: 'pro',
      camera_control,
      multi_shot: true,
      shot_type: 'customize',
      multi_prompt: [{ index: 1, prompt: 'a', duration: '5' }],
      voice_list: [{ voice_id: 'v' }],
      element_list: [{ element_id: 1 }],
      callback_url: 'https://client.test/done',
      external_task_id: 'my-1',
      new_option: 7,
    };
    expect(fromText(fields)).toEqual({
      model: 'kling-v2-6',
      externalId: 'my-1',
      callbackUrl: 'https://client.test/done',
      request: {
        kind: 'video',
        prompt: 'a kite',
        negativePrompt: 'rain',
        seconds: '5',
        aspectRatio: '16:9',
        audio: true,
        watermark: true,
        metadata: {
          cfg_scale: 0.5,
          mode: 'pro',
          camera_control,
          multi_shot: true,
          shot_type: 'customize',
          multi_prompt: [{ index: 1, prompt: 'a', duration: '5' }],
          voice_list: [{ voice_id: 'v' }],
          element_list: [{ element_id: 1 }],
          new_option: 7,
        },
      },
      images: [],
    });
  });

  it('requires only a prompt', () => {
    expect(fromText({ prompt: 'a', negative_prompt: '', model_name: null })).toEqual({
      request: { kind: 'video', prompt: 'a' },
      images: [],
    });
  });

  it('accepts the prompts of several shots as one', () => {
    expect(fromText({ multi_prompt: [{ prompt: 'a' }] }).request.metadata).toHaveProperty('multi_prompt');
  });

  it('accepts both names of the model field, and disabled sound', () => {
    expect(fromText({ prompt: 'a', model: 'kling-v1', sound: 'off' })).toMatchObject({
      model: 'kling-v1',
      request: { audio: false },
    });
  });

  it('accepts a callback and hides it from the vendor', () => {
    const { request, dropped, callbackUrl } = fromText({ prompt: 'a', callback_url: 'https://client.test' });
    expect(callbackUrl).toBe('https://client.test/');
    expect(request).not.toHaveProperty('metadata');
    expect(dropped).toBeUndefined();
    expect(fromImages({ image, callback_url: '' })).not.toHaveProperty('callbackUrl');
  });

  it('accepts an external id in any script unless it looks like a task id', () => {
    for (const name of ['my_video_1', 'Video_1', 'x'.repeat(256), '我的任务 🎬']) {
      expect(fromText({ prompt: 'a', external_task_id: name }).externalId).toBe(name);
    }
    expect(fromText({ prompt: 'a', external_task_id: null })).not.toHaveProperty('externalId');
  });

  it('moves options out of metadata', () => {
    const { metadata } = fromText({ prompt: 'a', mode: 'std', metadata: { mode: 'pro', lora: 'x' } }).request;
    expect(metadata).toEqual({ mode: 'pro', lora: 'x' });
    expect(fromText({ prompt: 'a', metadata: {} }).request).not.toHaveProperty('metadata');
  });

  it.each([
    [undefined, 'prompt'],
    [{}, 'prompt'],
    [{ prompt: '' }, 'prompt'],
    ['text', undefined],
    [[], undefined],
    [5, undefined],
    [{ prompt: 'a', image }, 'image'],
    [{ prompt: 'a', image_tail: image }, 'image_tail'],
    [{ prompt: 'a', static_mask: image }, 'static_mask'],
    [{ prompt: 'a', dynamic_masks: masks }, 'dynamic_masks'],
  ])('rejects %j', (fields, param) => {
    expect(() => fromText(fields)).toThrow(refusal(param));
  });

  it.each(badFields)('rejects %s %.30j', (field, value, param = field) => {
    expect(() => fromText({ prompt: 'a', [field]: value })).toThrow(refusal(param));
  });
});

describe('decodeImage2Video', () => {
  it('reads a first and a last frame, by URL, base64, or data URL', () => {
    expect(fromImages({ image, image_tail: 'iVBORw0=' })).toEqual({
      request: { kind: 'video' },
      images: [
        { role: 'first_frame', source: { kind: 'url', url: image } },
        { role: 'last_frame', base64: 'iVBORw0=', param: 'image_tail' },
      ],
    });
    expect(fromImages({ image: 'data:image/png;base64,iVBORw0=' }).images).toEqual([
      { role: 'first_frame', mediaType: 'image/png', base64: 'iVBORw0=', param: 'image' },
    ]);
  });

  it('accepts only a last frame', () => {
    expect(fromImages({ image_tail: image }).images.map(({ role }) => role)).toEqual(['last_frame']);
  });

  it('forwards a motion brush', () => {
    expect(fromImages({ image, static_mask: image, dynamic_masks: masks }).request.metadata).toEqual({
      static_mask: image,
      dynamic_masks: masks,
    });
  });

  it.each([
    [{}, 'image'],
    [{ prompt: 'a' }, 'image'],
    [{ image: '' }, 'image'],
    [{ image: 5 }, 'image'],
    [{ image: ['a'] }, 'image'],
    [{ image: 'ftp://pics.test' }, 'image'],
    [{ image: 'https://user:pass@pics.test' }, 'image'],
    [{ image: 'not base64!' }, 'image'],
    [{ image: 'data:image/png,plain' }, 'image'],
    [{ image, image_tail: 'no!' }, 'image_tail'],
    [{ image, static_mask: 'no!' }, 'static_mask'],
    [{ image, dynamic_masks: [{ mask: 'no!', trajectories: [] }] }, 'dynamic_masks[0][mask]'],
    [{ image, dynamic_masks: Array(7).fill(masks[0]) }, 'dynamic_masks'],
    [{ image, image_tail: image, static_mask: image }, 'static_mask'],
    [{ image, image_tail: image, dynamic_masks: masks }, 'dynamic_masks'],
    [{ image, image_tail: image, camera_control: { type: 'down_back' } }, 'camera_control'],
    [{ image, static_mask: image, camera_control: { type: 'down_back' } }, 'camera_control'],
    ['text', undefined],
  ])('rejects %.80j', (fields, param) => {
    expect(() => fromImages(fields)).toThrow(refusal(param));
  });

  it.each(badFields)('rejects %s %.30j', (field, value, param = field) => {
    expect(() => fromImages({ image, [field]: value })).toThrow(refusal(param));
  });
});

it('both throw only gateway errors on any input', () => {
  const known = fc.constantFrom('model_name', 'duration', 'image', 'image_tail', 'dynamic_masks', 'camera_control');
  const value = fc.oneof(fc.anything(), fc.webUrl(), fc.constantFrom('data:image/png;base64,AAAA', 'AAAA', '5'));
  const fields = fc.oneof(
    fc.anything(),
    fc.dictionary(fc.oneof(known, fc.string()), value).map((body) => Object.assign(body, { prompt: 'a', image })),
  );
  fc.assert(
    fc.property(fields, (any) => {
      onlyGatewayErrors(() => void JSON.stringify(fromText(any)));
      onlyGatewayErrors(() => void JSON.stringify(fromImages(any)));
    }),
    { numRuns: 500 },
  );
});
