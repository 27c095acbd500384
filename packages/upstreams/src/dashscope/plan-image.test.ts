import { type ImageRequest, type ImageRole, type MediaLoss, UnsupportedParamsError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { planImage } from './plan-image.ts';

const roles = (...list: ImageRole[]): Pick<ImageRequest, 'images'> => ({
  images: list.map((role) => ({ role, source: { kind: 'url', url: 'https://client.example/a.png' } })),
});
const references = (count: number) => roles(...Array.from({ length: count }, () => 'reference' as const));
const QWEN = 'qwen-image-plus';
const EDIT = 'qwen-image-edit-plus';
const WAN = 'wan2.6-t2i';
const OLD = 'wanx2.1-t2i-turbo';

function plan(model: string, params: Partial<ImageRequest>) {
  const losses: string[] = [];
  const report = ({ field, how }: MediaLoss) => void losses.push(`${field} ${how}`);
  const request: ImageRequest = { kind: 'image', prompt: 'a kite', images: [], delivery: 'url', ...params };
  return { ...planImage(model, request, report), losses };
}

it.each([
  [QWEN, 0, 'multimodal-generation/generation'],
  ['qwen-image', 0, 'multimodal-generation/generation'],
  ['qwen-image-2.0-pro', 3, 'multimodal-generation/generation'],
  [EDIT, 3, 'multimodal-generation/generation'],
  [WAN, 0, 'multimodal-generation/generation'],
  ['wan2.6-image', 4, 'multimodal-generation/generation'],
  ['wan2.7-image', 0, 'multimodal-generation/generation'],
  ['somebody-else', 5, 'multimodal-generation/generation'],
  ['wan2.5-t2i-preview', 0, 'text2image/image-synthesis'],
  ['wan2.2-t2i-flash', 0, 'text2image/image-synthesis'],
  [OLD, 0, 'text2image/image-synthesis'],
  ['wanx-v1', 0, 'text2image/image-synthesis'],
  ['flux-schnell', 0, 'text2image/image-synthesis'],
  ['wan2.5-i2i-preview', 1, 'image2image/image-synthesis'],
])('%s with %i images uses %s', (model, count, path) => {
  expect(plan(model, references(count)).path).toBe(`/${path}`);
});

it.each([
  [QWEN, { prompt: ' ' }, 'prompt'],
  [QWEN, { prompt: 'x'.repeat(801) }, 'prompt'],
  [QWEN, { negativePrompt: 'x'.repeat(501) }, 'negativePrompt'],
  [QWEN, references(1), 'reference'],
  [EDIT, {}, 'reference'],
  [EDIT, references(4), 'reference'],
  ['qwen-image-3.0', references(4), 'reference'],
  ['wan2.6-image', {}, 'reference'],
  ['wan2.6-image', references(5), 'reference'],
  [OLD, references(1), 'reference'],
  [EDIT, roles('reference', 'mask'), 'mask'],
] satisfies [string, Partial<ImageRequest>, string][])('refuses %s %o', (model, params, field) => {
  expect(() => plan(model, params)).toThrow(expect.objectContaining({ field, name: UnsupportedParamsError.name }));
});

describe('always sends the number of images', () => {
  it.each([
    [QWEN, undefined, 1, []],
    [QWEN, 2, 1, ['n clamped']],
    [WAN, undefined, 1, []],
    [WAN, 4, 4, []],
    [OLD, 5, 4, ['n clamped']],
    ['qwen-image-2.0', 6, 6, []],
  ])('%s, %s requested: %i', (model, n, expected, losses) => {
    const planned = plan(model, n === undefined ? {} : { n });
    expect([planned.parameters['n'], planned.losses]).toEqual([expected, losses]);
  });

  it('applies to edits too', () => {
    expect(plan(EDIT, { n: 7, ...references(1) })).toMatchObject({ parameters: { n: 6 }, losses: ['n clamped'] });
    expect(plan('qwen-image-edit', { n: 2, ...references(1) })).toMatchObject({ parameters: { n: 1 } });
  });
});

describe('frame', () => {
  it.each([
    [QWEN, {}, undefined, []],
    [QWEN, { size: '1664x928' }, '1664*928', []],
    [QWEN, { size: '1024x1024' }, '1328*1328', ['size clamped']],
    [QWEN, { aspectRatio: '9:16' }, '928*1664', []],
    [QWEN, { aspectRatio: '2:1' }, '1664*928', ['aspectRatio clamped']],
    ['qwen-image-edit', { size: '1024x1024', ...references(1) }, undefined, ['size dropped']],
    [EDIT, { size: '1024x1536', ...references(1) }, '1024*1536', []],
    [EDIT, { size: '4096x4096', ...references(1) }, '2048*2048', ['size clamped']],
    [WAN, { size: '768x2700' }, '768*2700', []],
    [WAN, { size: '1024x1024' }, '1280*1280', ['size clamped']],
    [WAN, { aspectRatio: '1:1' }, '1280*1280', []],
    [WAN, { aspectRatio: '16:9' }, '1712*960', []],
    [WAN, { aspectRatio: '5:1' }, '2560*640', ['aspectRatio clamped']],
    [OLD, { size: '1024x1024' }, '1024*1024', []],
    [OLD, { size: '768x2700' }, '512*1440', ['size clamped']],
    ['flux-schnell', { size: '512x1024' }, '512*1024', []],
    ['somebody-else', { size: '8192x8192' }, '8192*8192', []],
  ] satisfies [string, Partial<ImageRequest>, string | undefined, string[]][])(
    '%s %o: %s',
    (model, params, size, losses) => {
      const planned = plan(model, params);
      expect([planned.parameters['size'], planned.losses]).toEqual([size, losses]);
    },
  );
});

it.each([
  [WAN, { seed: 0, watermark: true, promptExtend: false }, { seed: 0, watermark: true, prompt_extend: false }, []],
  ['qwen-image-edit', { ...references(1), promptExtend: true }, {}, ['promptExtend dropped']],
  [
    WAN,
    { quality: 'hd', background: 'opaque', outputFormat: 'webp' },
    {},
    ['quality dropped', 'background dropped', 'outputFormat dropped'],
  ],
] satisfies [string, Partial<ImageRequest>, object, string[]][])('%s %o', (model, params, expected, losses) => {
  const planned = plan(model, params);
  expect([planned.parameters, planned.losses]).toEqual([{ n: 1, ...expected }, losses]);
});
