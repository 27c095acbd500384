import type { ImageRequest, ImageRole, MediaLoss } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { planReplicateImage } from './plan-image.ts';

function planned(model: string, params: Partial<ImageRequest> = {}, roles: ImageRole[] = []) {
  const losses: MediaLoss[] = [];
  const images = roles.map((role) => ({ role, source: { kind: 'url', url: 'https://c.example/a.png' } as const }));
  const request: ImageRequest = { kind: 'image', prompt: 'a kite', images, delivery: 'url', ...params };
  const { input } = planReplicateImage(model, request, (loss) => losses.push(loss));
  const { prompt: _prompt, ...rest } = input;
  return { input: rest, losses: losses.map(({ field, how }) => `${field} ${how}`) };
}

const SCHNELL = 'black-forest-labs/flux-schnell';
const ULTRA = 'black-forest-labs/flux-1.1-pro-ultra';

it.each([
  [SCHNELL, { n: 3, outputFormat: 'jpeg', seed: 7 }, { num_outputs: 3, output_format: 'jpg', seed: 7 }, []],
  [SCHNELL, { n: 9 }, { num_outputs: 4 }, ['n clamped']],
  [SCHNELL, { size: '1344x768' }, { aspect_ratio: '16:9' }, ['size replaced']],
  [SCHNELL, { negativePrompt: 'rain', quality: 'high' }, {}, ['negativePrompt dropped', 'quality dropped']],
  [ULTRA, { n: 2, outputFormat: 'webp' }, {}, ['n clamped', 'outputFormat dropped']],
  ['black-forest-labs/flux-1.1-pro', { promptExtend: true }, { prompt_upsampling: true }, []],
  ['black-forest-labs/flux-2-pro', { size: '1024x512' }, { aspect_ratio: 'custom', width: 1024, height: 512 }, []],
  [
    'black-forest-labs/flux-2-dev',
    { size: '2048x2048' },
    { aspect_ratio: 'custom', width: 1440, height: 1440 },
    ['size clamped'],
  ],
  ['black-forest-labs/flux-2-pro', { aspectRatio: '16:9' }, { aspect_ratio: '16:9' }, []],
  ['bytedance/seedream-4.5', { size: '2048x1024' }, { size: 'custom', width: 2048, height: 1024 }, []],
  ['bytedance/seedream-4', { n: 2, outputFormat: 'png' }, {}, ['n clamped', 'outputFormat dropped']],
  ['google/imagen-4-fast', { aspectRatio: '3:2' }, { aspect_ratio: '4:3' }, ['aspectRatio clamped']],
  [
    'openai/gpt-image-1.5',
    { n: 2, quality: 'high', background: 'opaque', outputFormat: 'jpeg', size: '1536x1024' },
    { number_of_images: 2, quality: 'high', background: 'opaque', output_format: 'jpeg', aspect_ratio: '3:2' },
    ['size replaced'],
  ],
  [
    'stability-ai/sdxl',
    { n: 2, size: '1024x768', negativePrompt: 'rain', seed: 7, outputFormat: 'webp' },
    {
      num_outputs: 2,
      aspect_ratio: '4:3',
      width: 1024,
      height: 768,
      negative_prompt: 'rain',
      seed: 7,
      output_format: 'webp',
    },
    ['size replaced'],
  ],
  ['me/image', { aspectRatio: '5:4' }, { aspect_ratio: '5:4' }, []],
  ['me/image', { watermark: true, quality: 'low' }, {}, ['watermark dropped', 'quality dropped']],
] as [string, Partial<ImageRequest>, object, string[]][])('%s gets %o', (model, params, input, losses) => {
  expect(planned(model, params)).toEqual({ input, losses });
});

describe('vendor options', () => {
  const metadata = { num_outputs: 4, image: 'x', guidance: 3, aspect_ratio: '1:1', prompt: 'x' };

  it('fill in what the request has not set for an unknown model, but never the number of images', () => {
    const rest = { image: 'x', guidance: 3 };
    expect(planned('me/image', { metadata }).input).toEqual({ ...rest, aspect_ratio: '1:1' });
    expect(planned('me/image', { n: 2, aspectRatio: '16:9', metadata }).input).toEqual({
      ...rest,
      num_outputs: 2,
      aspect_ratio: '16:9',
    });
  });

  it('apply to a known model where they replace no planned input', () => {
    const model = 'black-forest-labs/flux-dev';
    expect(planned(model, { metadata }).input).toEqual({ guidance: 3, aspect_ratio: '1:1' });
    expect(planned(model, { aspectRatio: '16:9', metadata }).input).toEqual({ guidance: 3, aspect_ratio: '16:9' });
  });
});

describe('images', () => {
  it.each([
    [SCHNELL, ['reference'], 'reference is not supported'],
    ['black-forest-labs/flux-dev', ['reference', 'reference'], 'at most 1 times'],
    ['black-forest-labs/flux-dev', ['reference', 'mask'], 'mask is not supported'],
    ['black-forest-labs/flux-fill-pro', [], 'reference is required'],
    ['qwen/qwen-image-edit-plus', [], 'reference is required'],
    ['me/image', ['first_frame'], 'firstFrame is not supported'],
    ['me/image', ['reference', 'mask', 'mask'], 'mask must appear at most 1'],
  ] as [string, ImageRole[], string][])('that %s does not accept are refused: %j', (model, roles, message) => {
    expect(() => planned(model, {}, roles)).toThrow(message);
  });

  it('can replace a prompt for an unknown model', () => {
    expect(planned('me/image', { prompt: '' }, ['reference']).losses).toEqual([]);
    expect(() => planned('me/image', { prompt: '' })).toThrow('prompt is required');
    expect(() => planned('google/nano-banana', { prompt: '' }, ['reference'])).toThrow('prompt is required');
  });
});

it('refuses invalid model names', () => {
  expect(() => planned('me/image/x')).toThrow('Model does not exist.');
});
