import { describe, expect, it } from 'vitest';
import { renderImage } from '../../media/image/render-image.ts';
import { KLING_CALLS } from './kling-params.ts';

const image = renderImage({ prompt: 'kite', width: 300, height: 400 }).toString('base64');
const url = 'https://example.com/a.png';
const text = KLING_CALLS['videos/text2video'];
const imageInput = KLING_CALLS['videos/image2video'];
const images = KLING_CALLS['videos/multi-image2video'];
const generation = KLING_CALLS['images/generations'];
const simple = (config: object) => ({ prompt: 'kite', camera_control: { type: 'simple', config } });

describe('text2video', () => {
  it('requires only a prompt', () => {
    expect(text({ prompt: 'kite', callback_url: '', external_task_id: null, unheard_of: 1 })).toEqual({
      kind: 'video',
      model: 'kling-v1',
      prompt: 'kite',
      seconds: 5,
      width: 1280,
      height: 720,
      count: 1,
      reference: undefined,
      inputs: [],
    });
  });

  it('accepts documented requests', () => {
    const params = { prompt: 'kite', model_name: 'kling-v2-6', mode: 'pro', duration: '10', aspect_ratio: '9:16' };
    expect(text({ ...params, sound: 'on', external_task_id: 'my-1' })).toMatchObject({
      model: 'kling-v2-6',
      seconds: 10,
      width: 1080,
      height: 1920,
      reference: 'my-1',
    });
    expect(text({ prompt: 'x'.repeat(2500), model_name: 'kling-v3', duration: '15' }).seconds).toBe(15);
    expect(text({ prompt: 'kite', aspect_ratio: '1:1' })).toMatchObject({ width: 960, height: 960 });
    expect(() => text({ cfg_scale: 1, ...simple({ pan: -10, tilt: 0 }) })).not.toThrow();
    expect(() => text({ prompt: 'kite', camera_control: { type: 'down_back' } })).not.toThrow();
  });

  it('ignores the legacy model field', () => {
    expect(text({ prompt: 'kite', model: 'kling-v2-6' }).model).toBe('kling-v1');
  });

  it.each([
    [{}, 'prompt'],
    [{ prompt: 'x'.repeat(2501) }, 'prompt'],
    [{ prompt: 5 }, 'prompt'],
    [{ prompt: 'kite', negative_prompt: 'x'.repeat(2501) }, 'negative_prompt'],
    [{ prompt: 'kite', model_name: 'kling-v9' }, 'model_name'],
    [{ prompt: 'kite', duration: 5 }, 'duration'],
    [{ prompt: 'kite', duration: '7' }, 'duration'],
    [{ prompt: 'kite', duration: '16', model_name: 'kling-v3' }, 'duration'],
    [{ prompt: 'kite', mode: 'best' }, 'mode'],
    [{ prompt: 'kite', aspect_ratio: '4:3' }, 'aspect_ratio'],
    [{ prompt: 'kite', cfg_scale: 1.1 }, 'cfg_scale'],
    [{ prompt: 'kite', cfg_scale: 0.5, model_name: 'kling-v2-master' }, 'cfg_scale'],
    [{ prompt: 'kite', sound: 'on' }, 'sound'],
    [{ prompt: 'kite', callback_url: 'nowhere' }, 'callback_url'],
    [simple({ pan: 1, tilt: 1 }), 'camera_control'],
    [simple({}), 'camera_control'],
    [simple({ pan: 11 }), 'camera_control'],
    [{ prompt: 'kite', camera_control: { type: 'down_back', config: { pan: 1 } } }, 'camera_control'],
    [{ prompt: 'kite', camera_control: { type: 'spin' } }, 'camera_control'],
  ])('rejects %j, naming the field', (body, field) => {
    expect(() => text(body)).toThrow(new RegExp(`^${field}`));
  });

  it.each([undefined, null, [], 'kite'])('rejects %j, which is not an object', (body) => {
    expect(() => text(body)).toThrow('JSON object');
  });
});

describe('image2video', () => {
  it('requires an image but no prompt', () => {
    expect(imageInput({ image })).toMatchObject({ prompt: '', inputs: [{ field: 'image', mediaType: 'image/png' }] });
    expect(imageInput({ image_tail: url })).toMatchObject({ inputs: [{ field: 'image_tail', reference: url }] });
    expect(imageInput({ image, image_tail: url }).inputs).toHaveLength(2);
  });

  it('uses the image’s ratio', () => {
    const { width, height } = imageInput({ image });
    expect(width / height).toBeCloseTo(300 / 400, 2);
    expect([width % 2, height % 2]).toEqual([0, 0]);
  });

  it.each([
    [299, 300, 'no side may have less than 300'],
    [752, 300, 'beyond the ratios'],
    [300, 752, 'beyond the ratios'],
  ])('rejects an image of %d by %d', (width, height, problem) => {
    const base64 = renderImage({ prompt: 'kite', width, height }).toString('base64');
    expect(() => imageInput({ image_tail: base64 })).toThrow(problem);
  });

  it('rejects a file over 10 MB', () => {
    expect(() => imageInput({ image: Buffer.alloc(10 * 1024 ** 2 + 1).toString('base64') })).toThrow(
      'larger than 10 MB',
    );
  });

  it.each([
    [{ prompt: 'kite' }, 'image'],
    [{ image: '', image_tail: '' }, 'image'],
    [{ image: `data:image/png;base64,${image}` }, 'image'],
    [{ image, image_tail: 'x' }, 'image_tail'],
    [{ image, image_tail: url, camera_control: { type: 'down_back' } }, 'image_tail'],
    [{ image, image_tail: url, static_mask: url }, 'image_tail'],
    [{ image, static_mask: url, camera_control: { type: 'down_back' } }, 'image_tail'],
    [{ image, dynamic_masks: [{ mask: url, trajectories: [] }] }, 'dynamic_masks'],
  ])('rejects %#, naming the field', (body, field) => {
    expect(() => imageInput(body)).toThrow(new RegExp(`^${field}`));
  });
});

describe('multi-image2video', () => {
  it('accepts one to four images', () => {
    const params = { prompt: 'kite', image_list: [{ image }, { image: url }] };
    expect(images(params)).toMatchObject({
      model: 'kling-v1-6',
      inputs: [
        { field: 'image_list.0', mediaType: 'image/png' },
        { field: 'image_list.1', reference: url },
      ],
    });
    for (const count of [0, 5]) {
      const image_list = Array.from({ length: count }, () => ({ image: url }));
      expect(() => images({ prompt: 'kite', image_list })).toThrow('image_list');
    }
    expect(() => images({ ...params, model_name: 'kling-v2-6' })).toThrow('model_name');
  });
});

describe('images/generations', () => {
  it('reads the requested number of images and ratio', () => {
    expect(generation({ prompt: 'kite' })).toMatchObject({ kind: 'image', count: 1, seconds: 0 });
    const params = generation({
      prompt: 'kite',
      n: 9,
      aspect_ratio: '1:1',
      resolution: '2k',
      model_name: 'kling-v2-1',
    });
    expect(params).toMatchObject({ model: 'kling-v2-1', count: 9, width: 2048, height: 2048 });
  });

  it.each([
    [{}, 'prompt'],
    [{ prompt: 'kite', n: 10 }, 'n '],
    [{ prompt: 'kite', n: '2' }, 'n '],
    [{ prompt: 'kite', aspect_ratio: '5:4' }, 'aspect_ratio'],
    [{ prompt: 'kite', resolution: '4k' }, 'resolution'],
    [{ prompt: 'kite', image_reference: 'face' }, 'image'],
    [{ prompt: 'kite', image: url, model_name: 'kling-v1-5' }, 'image_reference'],
    [{ prompt: 'kite', image: url, negative_prompt: 'rain' }, 'negative_prompt'],
  ])('rejects %j, naming the field', (body, field) => {
    expect(() => generation(body)).toThrow(new RegExp(`^${field}`));
  });
});
