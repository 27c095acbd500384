import type { ImageRequest, ImageRole, MediaLoss } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { planImage } from './image-plan.ts';

function planOf(model: string, params: Partial<ImageRequest>) {
  const losses: MediaLoss[] = [];
  const request: ImageRequest = { kind: 'image', prompt: 'a red kite', images: [], delivery: 'url', ...params };
  const plan = planImage(model, request, (loss) => losses.push(loss));
  return { plan, losses: losses.map(({ field, how }) => `${field} ${how}`) };
}
const images = (...roles: ImageRole[]) => ({
  images: roles.map((role) => ({ role, source: { kind: 'url', url: 'https://x.example/a.png' } as const })),
});

describe('size', () => {
  it.each([
    ['gpt-image-1.5', '1024x1024', '1024x1024', []],
    ['gpt-image-1-mini', '1280x720', '1536x1024', ['size clamped']],
    ['chatgpt-image-latest', '720x1280', '1024x1536', ['size clamped']],
    ['gpt-image-2', '1536x864', '1536x864', []],
    ['gpt-image-2.5-flare', '1000x1000', '1008x1008', ['size clamped']],
    ['gpt-image-2', '1280x320', '1280x432', ['size clamped']],
    ['gpt-image-2', '320x1280', '432x1280', ['size clamped']],
    ['gpt-image-2', '7680x4320', '3840x2160', ['size clamped']],
    ['dall-e-3', '1920x1080', '1792x1024', ['size clamped']],
    ['dall-e-2', '500x500', '512x512', ['size clamped']],
    ['dall-e-2', '1920x1080', '1024x1024', ['size clamped']],
    ['openai/dall-e-2', '256x256', '256x256', []],
    ['seedream-4', '2304x1728', '2304x1728', []],
  ])('%s: %s becomes %s', (model, size, expected, losses) => {
    expect(planOf(model, { size })).toMatchObject({ plan: { size: expected }, losses });
  });

  it.each([
    ['gpt-image-1', '16:9', '1536x1024'],
    ['gpt-image-1', '9:16', '1024x1536'],
    ['gpt-image-1', '1:1', '1024x1024'],
    ['gpt-image-2', '16:9', '1360x768'],
    ['dall-e-3', '9:16', '1024x1792'],
    ['flux-pro', '4:3', '1184x880'],
  ])('%s: the aspect ratio %s becomes %s', (model, aspectRatio, expected) => {
    expect(planOf(model, { aspectRatio })).toMatchObject({
      plan: { size: expected },
      losses: ['aspectRatio replaced'],
    });
  });

  it('is left to the model if the client set none', () => {
    expect(planOf('gpt-image-2', {})).toEqual({ plan: { prompt: 'a red kite' }, losses: [] });
  });
});

it('requests bytes instead of URLs, unless the field is refused', () => {
  expect(planOf('dall-e-3', {}).plan).toMatchObject({ response_format: 'b64_json' });
  expect(planOf('dall-e-2', {}).plan).toMatchObject({ response_format: 'b64_json' });
  for (const model of ['gpt-image-1', 'gpt-image-2', 'chatgpt-image-latest', 'some-model']) {
    expect(planOf(model, {}).plan).not.toHaveProperty('response_format');
  }
});

it('sends fields that the model supports', () => {
  const params = { n: 3, quality: 'hd', background: 'transparent', outputFormat: 'webp' } as const;
  const { outputFormat, ...otherFields } = params;
  expect(planOf('gpt-image-2', params)).toMatchObject({
    plan: { ...otherFields, output_format: outputFormat },
    losses: [],
  });
  expect(planOf('some-model', params)).toMatchObject({
    plan: { ...otherFields, output_format: outputFormat },
    losses: [],
  });
  expect(planOf('dall-e-3', params)).toEqual({
    plan: { prompt: 'a red kite', n: 1, quality: 'hd', response_format: 'b64_json' },
    losses: ['background dropped', 'outputFormat dropped', 'n clamped'],
  });
  expect(planOf('gpt-image-2', { n: 12 })).toMatchObject({ plan: { n: 10 }, losses: ['n clamped'] });
});

it('reports unsupported fields, unless metadata sets them', () => {
  const params = { negativePrompt: 'rain', seed: 7, watermark: false, promptExtend: true };
  expect(planOf('some-model', params).losses).toEqual([
    'negativePrompt dropped',
    'seed dropped',
    'watermark dropped',
    'promptExtend dropped',
  ]);
  const metadata = { seed: 7, negative_prompt: 'rain' };
  expect(planOf('some-model', { ...params, metadata }).losses).toEqual(['watermark dropped', 'promptExtend dropped']);
});

describe('images', () => {
  it.each([
    ['gpt-image-2', ['reference', 'reference', 'mask']],
    ['dall-e-2', ['reference', 'mask']],
    ['some-model', Array.from({ length: 30 }, () => 'reference' as const)],
  ] as const)('%s accepts %j', (model, roles) => {
    expect(planOf(model, images(...roles)).losses).toEqual([]);
  });

  it.each([
    ['dall-e-3', ['reference'], 'reference is not supported by this model'],
    ['dall-e-2', ['reference', 'reference'], 'reference must appear at most 1 times'],
    ['gpt-image-2', Array.from({ length: 17 }, () => 'reference' as const), 'reference must appear at most 16 times'],
    ['some-model', ['first_frame'], 'firstFrame is not supported by this model'],
    ['some-model', ['mask'], 'mask requires an image to edit'],
    ['some-model', ['reference', 'mask', 'mask'], 'mask must appear at most 1 times'],
  ] as const)('%s refuses %j', (model, roles, message) => {
    expect(() => planOf(model, images(...roles))).toThrow(message);
  });
});

it('requires a prompt within the model’s limit', () => {
  expect(() => planOf('some-model', { prompt: ' ' })).toThrow('prompt is required');
  expect(() => planOf('dall-e-3', { prompt: 'x'.repeat(4001) })).toThrow('prompt must be at most 4000 characters');
  expect(planOf('some-model', { prompt: 'x'.repeat(40_000) }).losses).toEqual([]);
});
