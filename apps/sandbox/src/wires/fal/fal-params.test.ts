import { describe, expect, it } from 'vitest';
import { imageUrl } from '../../../test/wire-caller.ts';
import { readFalInput, refusedParams } from './fal-params.ts';

const KLING = 'fal-ai/kling-video/v2.1/master/image-to-video';
const kling = (image_url: string) => readFalInput(KLING, { prompt: 'kite', image_url });

function tooMany(): string {
  const [, base64 = ''] = imageUrl(300, 300).split(',');
  const bytes = Buffer.concat([Buffer.from(base64, 'base64'), Buffer.alloc(10 * 1024 ** 2)]);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

describe('readFalInput', () => {
  it.each([
    ['fal-ai/veo3', {}, { kind: 'video', seconds: 8, width: 1280, height: 720, path: 'fal-ai/veo3' }],
    ['fal-ai/veo3', { duration: '4s', aspect_ratio: '9:16', resolution: '1080p' }, { seconds: 4, width: 1080 }],
    ['fal-ai/flux/dev', {}, { kind: 'image', seconds: 0, width: 1024, height: 768, count: 1, path: 'fal-ai/flux' }],
    ['fal-ai/flux/dev', { image_size: 'portrait_16_9', num_images: 3 }, { width: 576, height: 1024, count: 3 }],
    ['fal-ai/flux/dev', { image_size: { width: 48, height: 33 }, seed: 7 }, { width: 48, height: 33, seed: 7 }],
    ['fal-ai/flux/dev', { seed: null, anything: 'else' }, { seed: undefined }],
    [KLING, { image_url: 'https://a.example/a.png' }, { seconds: 5, width: 1920, height: 1080 }],
    [KLING, { image_url: imageUrl(300, 600), duration: '10' }, { seconds: 10, width: 1080, height: 2160 }],
  ])('%s with %#', (name, more, params) => {
    expect(readFalInput(name, { prompt: 'kite', ...more })).toMatchObject({ params });
  });

  it('measures an inline image and keeps the URL of another', () => {
    expect(kling('https://a.example/a.png')).toMatchObject({
      params: { inputs: [{ field: 'image_url', reference: 'https://a.example/a.png' }] },
    });
    const measured = {
      field: 'image_url',
      mediaType: 'image/png',
      bytes: expect.any(Number),
      sha256: expect.any(String),
    };
    expect(kling(imageUrl(300, 300))).toMatchObject({ params: { inputs: [measured] } });
  });

  it.each([
    ['no URL', 'kite.png', 'file_download_error'],
    ['no image', 'data:image/png;base64,AAAA', 'image_load_error'],
    ['too many bytes', tooMany(), 'file_too_large'],
    ['too few pixels', imageUrl(299, 400), 'image_too_small'],
    ['too long a side', imageUrl(300, 751), 'image_aspect_ratio_error'],
  ])('rejects an image with %s', (_what, url, type) => {
    expect(kling(url)).toMatchObject({ refusal: { status: 422, detail: [{ loc: ['body', 'image_url'], type }] } });
  });

  it('rejects other paths', () => {
    const detail = 'Path /pro not found';
    expect(readFalInput('fal-ai/flux/pro', {})).toEqual({ refusal: { status: 404, detail } });
  });
});

it('refusedParams keeps the task and the error', () => {
  const refusal = { status: 404, detail: 'Path /pro not found' } as const;
  expect(refusedParams('fal-ai/flux/pro', { prompt: 'kite' }, refusal)).toMatchObject({
    prompt: 'kite',
    path: 'fal-ai/flux',
    requestFields: { refusal },
  });
  expect(refusedParams('fal-ai/flux/dev', null, refusal)).toMatchObject({ kind: 'image', prompt: '' });
});
