import { type ImageRequest, type ImageRole, type MediaLoss, UnsupportedParamsError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { planImage } from './plan-image.ts';

const roles = (...list: ImageRole[]): Pick<ImageRequest, 'images'> => ({
  images: list.map((role) => ({ role, source: { kind: 'url', url: 'https://client.example/a.png' } })),
});
const references = (count: number) => roles(...Array.from({ length: count }, () => 'reference' as const));

function plan(model: string, params: Partial<ImageRequest>) {
  const losses: string[] = [];
  const report = ({ field, how }: MediaLoss) => void losses.push(`${field} ${how}`);
  const request: ImageRequest = { kind: 'image', prompt: 'a kite', images: [], delivery: 'url', ...params };
  return { ...planImage(model, request, report), losses };
}

it.each([
  ['kling-v2', 0, 'generations'],
  ['kling-v1-5', 1, 'generations'],
  ['kling-v2.1', 2, 'multi-image2image'],
  ['kling-v2-1', 4, 'multi-image2image'],
  ['kling-image-o1', 0, 'omni-image'],
  ['kling-image-o1', 10, 'omni-image'],
])('%s with %i images uses %s', (model, count, path) => {
  expect(plan(model, references(count)).path).toBe(`/v1/images/${path}`);
});

it.each([
  ['kling-v2', { prompt: ' ' }, 'prompt'],
  ['kling-v2', { prompt: 'x'.repeat(2501) }, 'prompt'],
  ['kling-v2', { negativePrompt: 'x'.repeat(2501) }, 'negativePrompt'],
  ['kling-v1-5', references(2), 'reference'],
  ['kling-v2', references(5), 'reference'],
  ['kling-image-o1', references(11), 'reference'],
  ['kling-v2', roles('reference', 'mask'), 'mask'],
])('refuses %s %o', (model, params, field) => {
  expect(() => plan(model, params)).toThrow(expect.objectContaining({ field, name: UnsupportedParamsError.name }));
});

describe('planned fields', () => {
  it.each([
    ['kling-v2', {}, { n: 1 }, []],
    ['kling-v2', { n: 9 }, { n: 9 }, []],
    ['kling-v2', { n: 10 }, { n: 9 }, ['n clamped']],
    ['kling-v2', { aspectRatio: '3:2' }, { aspect_ratio: '3:2' }, []],
    ['kling-v2', { aspectRatio: '5:4' }, { aspect_ratio: '4:3' }, ['aspectRatio clamped']],
    ['kling-v2', { size: '1024x1024' }, { aspect_ratio: '1:1' }, ['size replaced']],
    ['kling-v2', { size: '2048x1152' }, { aspect_ratio: '16:9', resolution: '2k' }, ['size replaced']],
    ['kling-v1-5', { size: '2048x1152' }, { aspect_ratio: '16:9' }, ['size replaced']],
    ['kling-v2', { negativePrompt: 'rain' }, { negative_prompt: 'rain' }, []],
    ['kling-v2', { negativePrompt: 'rain', ...references(1) }, {}, ['negativePrompt dropped']],
    ['kling-image-o1', { negativePrompt: 'rain' }, {}, ['negativePrompt dropped']],
    ['kling-v2', { watermark: true }, { watermark_info: { enabled: true } }, []],
    [
      'kling-v2',
      { seed: 1, quality: 'hd', background: 'opaque', outputFormat: 'png', promptExtend: true },
      {},
      ['seed dropped', 'quality dropped', 'background dropped', 'outputFormat dropped', 'promptExtend dropped'],
    ],
  ] satisfies [string, Partial<ImageRequest>, object, string[]][])('%s %o: %o', (model, params, expected, losses) => {
    const planned = plan(model, params);
    expect(planned.fields).toEqual({ prompt: 'a kite', n: 1, ...expected });
    expect(planned.losses).toEqual(losses);
  });
});
