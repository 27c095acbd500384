import type { ImageRequest, ImageRole, MediaLoss } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { planGeminiImage } from './image-plan.ts';

function planOf(params: Partial<ImageRequest>, model = 'gemini-3-pro-image') {
  const losses: MediaLoss[] = [];
  const request: ImageRequest = { kind: 'image', prompt: 'a red kite', images: [], delivery: 'url', ...params };
  const plan = planGeminiImage(model, request, (loss) => losses.push(loss));
  return { ...plan, losses: losses.map(({ field, how }) => `${field} ${how}`) };
}
const images = (...roles: ImageRole[]) => ({
  images: roles.map((role) => ({ role, source: { kind: 'url', url: 'https://x.example/a.png' } as const })),
});

it.each([
  [{ size: '1024x1024' }, { aspectRatio: '1:1' }, ['size replaced']],
  [{ size: '1280x720' }, { aspectRatio: '16:9' }, ['size replaced']],
  [{ size: '2048x2048' }, { aspectRatio: '1:1', imageSize: '2K' }, ['size replaced']],
  [{ size: '2752x1536' }, { aspectRatio: '16:9', imageSize: '2K' }, ['size replaced']],
  [{ size: '4096x4096' }, { aspectRatio: '1:1', imageSize: '4K' }, ['size replaced']],
  [{ aspectRatio: '4:5' }, { aspectRatio: '4:5' }, []],
  [{ aspectRatio: '2:1' }, { aspectRatio: '16:9' }, ['aspectRatio clamped']],
  [{}, {}, []],
])('%o becomes %o', (params, imageConfig, losses) => {
  expect(planOf(params)).toMatchObject({ imageConfig, losses });
  expect(Object.keys(planOf(params).imageConfig)).toEqual(Object.keys(imageConfig));
});

it('sends no size to the family with a single one', () => {
  const { imageConfig } = planOf({ size: '4096x4096' }, 'gemini-2.5-flash-image');
  expect(imageConfig).toEqual({ aspectRatio: '1:1' });
});

it('requests one image, with a seed, and reports unsupported fields', () => {
  const params = {
    n: 4,
    seed: 7,
    negativePrompt: 'rain',
    quality: 'hd',
    background: 'transparent',
    outputFormat: 'png',
    watermark: false,
    promptExtend: true,
  } as const;
  expect(planOf(params)).toMatchObject({
    seed: 7,
    losses: [
      'negativePrompt dropped',
      'quality dropped',
      'background dropped',
      'outputFormat dropped',
      'watermark dropped',
      'promptExtend dropped',
      'n clamped',
    ],
  });
});

it.each([
  [['mask'], 'mask is not supported by this model'],
  [['reference', 'mask'], 'mask is not supported by this model'],
  [['first_frame'], 'firstFrame is not supported by this model'],
  [Array.from({ length: 15 }, () => 'reference' as const), 'reference must appear at most 14 times'],
] as const)('refuses the images %j', (roles, message) => {
  expect(() => planOf(images(...roles))).toThrow(message);
});

it('refuses a request without a prompt and a name outside the models path', () => {
  expect(() => planOf({ prompt: ' ' })).toThrow('prompt is required');
  expect(() => planOf({}, '../files')).toThrow('Model does not exist.');
});
