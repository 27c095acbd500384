import type { ImageRequest, ImageRole, MediaLoss } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { planFalImage } from './plan-image.ts';

function planOf(params: Partial<ImageRequest>, model = 'fal-ai/flux/dev') {
  const losses: MediaLoss[] = [];
  const request: ImageRequest = { kind: 'image', prompt: 'a red kite', images: [], delivery: 'url', ...params };
  const { fields } = planFalImage(model, request, (loss) => losses.push(loss));
  return { fields, losses: losses.map(({ field, how }) => `${field} ${how}`) };
}
const images = (...roles: ImageRole[]) => ({
  images: roles.map((role) => ({ role, source: { kind: 'url', url: 'https://x.example/a.png' } as const })),
});

it('sends all fields under the most common names', () => {
  const params = {
    negativePrompt: 'rain',
    n: 3,
    seed: 7,
    quality: 'high',
    background: 'opaque',
    outputFormat: 'png',
  } as const;
  expect(planOf(params)).toEqual({
    fields: {
      negative_prompt: 'rain',
      num_images: 3,
      seed: 7,
      quality: 'high',
      background: 'opaque',
      output_format: 'png',
    },
    losses: [],
  });
});

it.each([
  ['fal-ai/flux/dev', { size: '1280x720' }, { image_size: { width: 1280, height: 720 }, aspect_ratio: '16:9' }],
  ['fal-ai/flux/dev', { aspectRatio: '3:4' }, { image_size: 'portrait_4_3', aspect_ratio: '3:4' }],
  ['fal-ai/flux/dev', { aspectRatio: '5:4' }, { aspect_ratio: '5:4' }],
  ['fal-ai/gpt-image-1', { size: '1024x1024' }, { image_size: '1024x1024', aspect_ratio: '1:1' }],
  ['fal-ai/gpt-image-1', { aspectRatio: '1:1' }, { aspect_ratio: '1:1' }],
  ['fal-ai/flux/dev', {}, {}],
])('%s encodes the frame %o as %o', (model, params, fields) => {
  expect(planOf(params, model)).toEqual({ fields, losses: [] });
});

it('reports fields that no model has', () => {
  expect(planOf({ watermark: true, promptExtend: false }).losses).toEqual([
    'watermark dropped',
    'promptExtend dropped',
  ]);
});

it('accepts any images and a mask, and requires a prompt or an image', () => {
  expect(planOf({ prompt: '', ...images('reference', 'reference', 'mask') }).losses).toEqual([]);
  expect(() => planOf({ prompt: '' })).toThrow('prompt is required');
  expect(() => planOf(images('first_frame'))).toThrow('firstFrame is not supported');
  expect(() => planOf({}, 'flux')).toThrow('Model does not exist.');
});
