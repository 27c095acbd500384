import { describe, expect, it } from 'vitest';
import { renderImage } from '../../media/image/render-image.ts';
import { readJimengParams } from './jimeng-params.ts';

const imageInput = renderImage({ prompt: 'kite', width: 320, height: 400 }).toString('base64');
const url = 'https://example.com/a.png';
const video = (more: object = {}) => readJimengParams({ req_key: 'jimeng_t2v_v30', prompt: 'kite', ...more });
const image = (more: object = {}) => readJimengParams({ req_key: 'jimeng_t2i_v40', prompt: 'kite', ...more });

describe('a video', () => {
  it('from only a prompt has five seconds and a wide ratio', () => {
    expect(video()).toEqual({
      kind: 'video',
      model: 'jimeng_t2v_v30',
      prompt: 'kite',
      seconds: 5,
      width: 1280,
      height: 720,
      count: 1,
      seed: undefined,
      inputs: [],
    });
  });

  it('accepts documented requests', () => {
    const params = video({ frames: 241, seed: 7, aspect_ratio: '9:16', req_key: 'jimeng_t2v_v30_1080p' });
    expect(params).toMatchObject({ seconds: 10, seed: 7, width: 1080, height: 1920 });
    expect(video({ prompt: 'x'.repeat(800), seed: -1, image_urls: [], binary_data_base64: [] }).seed).toBeUndefined();
  });

  it.each([
    ['jimeng_i2v_first_v30', [imageInput]],
    ['jimeng_i2v_first_v30_1080', [imageInput]],
    ['jimeng_i2v_first_tail_v30', [imageInput, imageInput]],
    ['jimeng_ti2v_v30_pro', [imageInput]],
    ['jimeng_ti2v_v30_pro', []],
    ['jimeng_vgfm_i2v_l20', [imageInput]],
  ])('of %s accepts its images as base64 and as URLs', (req_key, images) => {
    expect(video({ req_key, binary_data_base64: images }).inputs).toMatchObject(
      images.map((_, index) => ({ field: `binary_data_base64[${index}]`, mediaType: 'image/png' })),
    );
    expect(video({ req_key, image_urls: images.map(() => url) }).inputs).toHaveLength(images.length);
  });

  it('requires no prompt if it has an image, and uses the image’s ratio', () => {
    const params = readJimengParams({ req_key: 'jimeng_i2v_first_v30', binary_data_base64: [imageInput] });
    expect([params.prompt, params.width / params.height]).toEqual(['', expect.closeTo(320 / 400, 2)]);
  });

  it.each([
    [{ req_key: 'jimeng_t2v_v99' }, 'req_key'],
    [{ req_key: 5 }, 'req_key'],
    [{ prompt: '' }, 'prompt'],
    [{ prompt: 'x'.repeat(801) }, 'prompt'],
    [{ frames: 120 }, 'frames'],
    [{ frames: '121' }, 'frames'],
    [{ seed: -2 }, 'seed'],
    [{ seed: 1.5 }, 'seed'],
    [{ aspect_ratio: '2:1' }, 'aspect_ratio'],
    [{ image_urls: [url] }, 'image_urls'],
    [{ image_urls: ['nowhere'] }, 'image_urls[0]'],
    [{ image_urls: url }, 'image_urls'],
    [{ req_key: 'jimeng_i2v_first_v30' }, 'image_urls'],
    [{ req_key: 'jimeng_i2v_first_v30', image_urls: [url, url] }, 'image_urls'],
    [{ req_key: 'jimeng_i2v_first_tail_v30', image_urls: [url] }, 'image_urls'],
    [{ req_key: 'jimeng_i2v_first_v30', image_urls: [url], binary_data_base64: [imageInput] }, 'binary_data_base64'],
    [{ req_key: 'jimeng_i2v_first_v30', binary_data_base64: [`data:image/png;base64,${imageInput}`] }, 'base64'],
    [{ req_key: 'jimeng_i2v_first_v30', binary_data_base64: [url] }, 'base64'],
  ])('rejects %#: %j, naming the field', (more, field) => {
    expect(() => video(more)).toThrow(field);
  });

  it.each([
    [319, 400, '320'],
    [1000, 320, 'ratio'],
    [4097, 2000, '4096'],
  ])('rejects an image of %d by %d', (width, height, problem) => {
    const base64 = renderImage({ prompt: 'kite', width, height }).toString('base64');
    expect(() => video({ req_key: 'jimeng_i2v_first_v30', binary_data_base64: [base64] })).toThrow(problem);
  });
});

describe('an image', () => {
  it('is one square by default; the prompt or the request can change it', () => {
    expect(image()).toMatchObject({ kind: 'image', count: 1, width: 2048, height: 2048, seconds: 0 });
    expect(image({ width: 2560, height: 1440 })).toMatchObject({ width: 2560, height: 1440 });
    expect(image({ size: 1024 ** 2 })).toMatchObject({ width: 1024, height: 1024 });
    expect(image({ width: 2560 })).toMatchObject({ width: 2048 });
    expect(image({ prompt: '画4张图' }).count).toBe(4);
    expect(image({ prompt: 'draw 3 pictures', force_single: true }).count).toBe(1);
    expect(image({ prompt: 'draw 99 images', image_urls: [url, url] }).count).toBe(13);
    expect(image({ req_key: 'jimeng_t2i_v31', prompt: '画4张图', width: 512, height: 512 }).count).toBe(1);
  });

  it.each([
    [{ prompt: '', image_urls: [url] }, 'prompt'],
    [{ size: 1024 }, 'size'],
    [{ width: 1000, height: 1000 }, 'width'],
    [{ width: 4000, height: 1300 }, 'width'],
    [{ scale: 1.5 }, 'scale'],
    [{ force_single: 'yes' }, 'force_single'],
    [{ image_urls: Array.from({ length: 11 }, () => url) }, 'image_urls'],
    [{ req_key: 'jimeng_t2i_v31', width: 2560, height: 1440 }, 'width'],
    [{ req_key: 'jimeng_t2i_v31', image_urls: [url] }, 'image_urls'],
  ])('rejects %j, naming the field', (more, field) => {
    expect(() => image(more)).toThrow(field);
  });
});

it.each([undefined, null, [], 'kite'])('readJimengParams rejects %j', (body) => {
  expect(() => readJimengParams(body)).toThrow('Input invalid');
});
