import { type ImageRequest, type ImageRole, type MediaLoss, UnsupportedParamsError } from '@sluice/canonical';
import { jimengImage } from '@sluice/vendors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planImage } from './plan-image.ts';

const roles = (...list: ImageRole[]): Pick<ImageRequest, 'images'> => ({
  images: list.map((role) => ({ role, source: { kind: 'url', url: 'https://client.example/a.png' } })),
});
const references = (count: number) => roles(...Array.from({ length: count }, () => 'reference' as const));
const V4 = 'jimeng_t2i_v40';
const V3 = 'jimeng_t2i_v31';
/** Fields for a single image. Without them, the model infers the number of images from the prompt. */
const single = (model: string) => (model === V4 ? { force_single: true } : {});

function plan(model: string, params: Partial<ImageRequest>) {
  const losses: string[] = [];
  const report = ({ field, how }: MediaLoss) => void losses.push(`${field} ${how}`);
  const request: ImageRequest = { kind: 'image', prompt: 'a kite', images: [], delivery: 'url', ...params };
  return { ...planImage(model, request, report), losses };
}

it.each([
  [V4, { prompt: '' }, 'prompt'],
  [V4, { prompt: 'x'.repeat(801) }, 'prompt'],
  [V4, references(11), 'reference'],
  [V3, references(1), 'reference'],
  ['jimeng_i2i_v30', references(2), 'reference'],
  [V4, roles('reference', 'mask'), 'mask'],
])('refuses %s %o', (model, params, field) => {
  expect(() => plan(model, params)).toThrow(expect.objectContaining({ field, name: UnsupportedParamsError.name }));
});

describe('frame', () => {
  it.each([
    [V4, {}, {}, []],
    [V4, { size: '1024x1024' }, { width: 1024, height: 1024 }, []],
    [V4, { size: '2560x1440' }, { width: 2560, height: 1440 }, []],
    [V4, { size: '512x512' }, { width: 1024, height: 1024 }, ['size clamped']],
    [V4, { size: '8192x8192' }, { width: 4096, height: 4096 }, ['size clamped']],
    [V4, { size: '4096x1024' }, { width: 3552, height: 1184 }, ['size clamped']],
    [V4, { aspectRatio: '1:1' }, { width: 2048, height: 2048 }, []],
    [V4, { aspectRatio: '9:16' }, { width: 1536, height: 2736 }, []],
    [V4, { aspectRatio: '1:4' }, { width: 1184, height: 3552 }, ['aspectRatio clamped']],
    [V3, { aspectRatio: '1:1' }, { width: 1328, height: 1328 }, []],
    [V3, { size: '4096x4096' }, { width: 2048, height: 2048 }, ['size clamped']],
    ['somebody_else', { size: '4096x2048' }, { width: 4096, height: 2048 }, []],
  ] satisfies [string, Partial<ImageRequest>, object, string[]][])('%s %o: %o', (model, params, expected, losses) => {
    const planned = plan(model, params);
    expect(planned.fields).toEqual({ prompt: 'a kite', ...single(model), ...expected });
    expect(planned.losses).toEqual(losses);
  });
});

it('always requests a supported frame', () => {
  const side = fc.integer({ min: 16, max: 12_000 });
  fc.assert(
    fc.property(side, side, fc.constantFrom(V3, V4), fc.boolean(), (width, height, model, isSize) => {
      const params = isSize ? { size: `${width}x${height}` } : { aspectRatio: `${width}:${height}` };
      const { fields } = plan(model, params);
      const [frameWidth, frameHeight] = [Number(fields['width']), Number(fields['height'])];
      const area = jimengImage(model).frame.area;
      expect(frameWidth * frameHeight).toBeGreaterThanOrEqual(area.min);
      expect(frameWidth * frameHeight).toBeLessThanOrEqual(area.max);
      expect(Math.max(frameWidth / frameHeight, frameHeight / frameWidth)).toBeLessThanOrEqual(3);
      if (width !== height) expect(Math.sign(frameWidth - frameHeight)).not.toBe(Math.sign(height - width));
    }),
    { numRuns: 1000 },
  );
});

describe('number of images', () => {
  it.each([
    [V4, undefined, { force_single: true }, []],
    [V4, 1, { force_single: true }, []],
    [V4, 4, {}, ['n dropped']],
    [V3, undefined, {}, []],
    [V3, 2, {}, ['n clamped']],
  ])('%s, %s requested', (model, n, expected, losses) => {
    const planned = plan(model, n === undefined ? {} : { n });
    expect(planned.fields).toEqual({ prompt: 'a kite', ...expected });
    expect(planned.losses).toEqual(losses);
  });
});

it.each([
  [V3, { seed: 7, promptExtend: false }, { seed: 7, use_pre_llm: false }, []],
  [V4, { seed: 7, promptExtend: false }, {}, ['seed dropped', 'promptExtend dropped']],
  [
    V3,
    { negativePrompt: 'x', quality: 'hd', background: 'opaque', outputFormat: 'png' },
    {},
    ['negativePrompt dropped', 'quality dropped', 'background dropped', 'outputFormat dropped'],
  ],
] satisfies [string, Partial<ImageRequest>, object, string[]][])('%s %o: %o', (model, params, expected, losses) => {
  const planned = plan(model, params);
  expect(planned.fields).toEqual({ prompt: 'a kite', ...single(model), ...expected });
  expect(planned.losses).toEqual(losses);
});

it.each([
  [{}, { return_url: true }],
  [{ watermark: true }, { return_url: true, logo_info: { add_logo: true } }],
  [{ watermark: false }, { return_url: true, logo_info: { add_logo: false } }],
])('requests results as URLs, with a watermark if requested: %o', (params, expected) => {
  expect(JSON.parse(plan(V4, params).resultOptions)).toEqual(expected);
});
