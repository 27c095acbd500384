import type { ImageRequest, ImageRole, MediaLoss } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { planRunwayImage } from './plan-image.ts';

function planOf(model: string, params: Partial<ImageRequest> = {}) {
  const losses: MediaLoss[] = [];
  const request: ImageRequest = { kind: 'image', prompt: 'a red kite', images: [], delivery: 'url', ...params };
  const { options } = planRunwayImage(model, request, (loss) => losses.push(loss));
  return { options, losses: losses.map(({ field, how }) => `${field} ${how}`) };
}
const images = (...roles: ImageRole[]) => ({
  images: roles.map((role) => ({ role, source: { kind: 'url', url: 'https://x.example/a.png' } as const })),
});

it.each([
  ['gen4_image', {}, '1024:1024', []],
  ['gen4_image', { size: '1920x1080' }, '1920:1080', []],
  ['gen4_image', { size: '1900x1080' }, '1920:1080', ['size clamped']],
  ['gen4_image', { aspectRatio: '9:16' }, '720:1280', []],
  ['gpt_image_2_5_flare', { aspectRatio: '16:9' }, '1920:1088', []],
  ['gemini_image3_pro', { size: '4096x4096' }, '4096:4096', []],
  ['gemini_image3.1_flash', { aspectRatio: '16:9' }, '1344:768', []],
  ['gemini_2.5_flash', { size: '4096x4096' }, '1024:1024', ['size clamped']],
  ['muse_image', {}, '1600:1600', []],
  ['seedream5_lite', { aspectRatio: '1:1' }, '2048:2048', []],
  ['seedream5_pro', { aspectRatio: '1:1' }, '1024:1024', []],
  ['grok_imagine_image_2', { size: '1280x720' }, '1280:720', []],
  ['new_image', { size: '12x34' }, '12:34', []],
  ['new_image', { aspectRatio: '2:1' }, '2:1', []],
  ['new_image', {}, undefined, []],
])('frame at %s: %o → %s', (model, params, ratio, losses) => {
  expect(planOf(model, params)).toMatchObject({ options: ratio ? { ratio } : {}, losses });
  expect(planOf(model, params).options.ratio).toBe(ratio);
});

it.each([
  ['gen4_image', 3, undefined, ['n clamped']],
  ['gpt_image_2', 10, 10, []],
  ['gpt_image_2', 11, 10, ['n clamped']],
  ['gemini_image3_pro', 4, 4, []],
  ['gemini_image3_pro', 3, undefined, ['n clamped']],
  ['gemini_image3_pro', 8, 4, ['n clamped']],
  ['muse_image', 1, undefined, []],
  ['new_image', 7, 7, []],
])('%s: %i images become %s', (model, n, outputCount, losses) => {
  const plan = planOf(model, { n });
  expect([plan.options.outputCount, plan.losses]).toEqual([outputCount, losses]);
});

it.each([
  ['gen4_image', ['seed']],
  ['gpt_image_2', ['quality', 'background']],
  ['seedream5_pro', ['outputFormat']],
  ['gemini_2.5_flash', []],
  ['new_image', ['seed', 'quality', 'background', 'outputFormat']],
])('%s has the fields %j; others are reported', (model, has) => {
  const params = { seed: 7, quality: 'high', background: 'opaque', outputFormat: 'png' } as const;
  const { options, losses } = planOf(model, { ...params, negativePrompt: 'rain', watermark: true, promptExtend: true });
  for (const [field, value] of Object.entries(params)) {
    expect(Reflect.get(options, field)).toBe(has.includes(field) ? value : undefined);
    expect(losses.includes(`${field} dropped`)).toBe(!has.includes(field));
  }
  expect(losses).toEqual(
    expect.arrayContaining(['negativePrompt dropped', 'watermark dropped', 'promptExtend dropped']),
  );
});

it.each([
  ['gen4_image_turbo', [], 'reference is required by this model'],
  ['gen4_image', ['reference', 'reference', 'reference', 'reference'], 'reference must appear at most 3 times'],
  ['gpt_image_2', ['mask'], 'mask is not supported by this model'],
] as const)('%s refuses the images %j', (model, roles, message) => {
  expect(() => planOf(model, images(...roles))).toThrow(message);
});

it('requires a prompt within the model’s limit', () => {
  expect(() => planOf('new_image', { prompt: '' })).toThrow('prompt is required');
  expect(() => planOf('gen4_image', { prompt: 'x'.repeat(1001) })).toThrow('prompt must be at most 1000 characters');
});
