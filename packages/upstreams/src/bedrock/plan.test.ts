import { type ImageRequest, type ImageRole, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { planRig } from '../../test/plan-rig.ts';
import { planBedrockImage } from './plan-image.ts';
import { planBedrockVideo } from './plan-video.ts';

const CANVAS = 'us.amazon.nova-canvas-v1:0';
const TITAN = 'amazon.titan-image-generator-v2:0';
const REEL = 'arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-reel-v1:1';
const LUMA = 'luma.ray-v2:0';

function image(model: string, params: Partial<ImageRequest>, roles: ImageRole[] = []) {
  const losses: string[] = [];
  const images = roles.map((role) => ({ role, source: { kind: 'url', url: 'https://c.example' } }) as const);
  const request: ImageRequest = { kind: 'image', prompt: 'a kite', delivery: 'url', images, ...params };
  try {
    const { task, config } = planBedrockImage(model, request, ({ field, how }) => void losses.push(`${field} ${how}`));
    return [task, config, losses];
  } catch (error) {
    if (error instanceof UnsupportedParamsError) return error.message;
    throw error;
  }
}

describe('images', () => {
  it.each<[string, Partial<ImageRequest>, ImageRole[], unknown]>([
    [CANVAS, {}, [], ['TEXT_IMAGE', { numberOfImages: 1 }, []]],
    [CANVAS, { size: '1280x720', n: 3 }, [], ['TEXT_IMAGE', { numberOfImages: 3, width: 1280, height: 720 }, []]],
    [
      CANVAS,
      { size: '1000x1000' },
      [],
      ['TEXT_IMAGE', { numberOfImages: 1, width: 1008, height: 1008 }, ['size clamped']],
    ],
    [
      CANVAS,
      { size: '4096x4096' },
      [],
      ['TEXT_IMAGE', { numberOfImages: 1, width: 2048, height: 2048 }, ['size clamped']],
    ],
    [CANVAS, { aspectRatio: '16:9' }, [], ['TEXT_IMAGE', { numberOfImages: 1, width: 1360, height: 768 }, []]],
    [CANVAS, { n: 9 }, [], ['TEXT_IMAGE', { numberOfImages: 5 }, ['n clamped']]],
    [
      CANVAS,
      { quality: 'premium', seed: 7 },
      [],
      ['TEXT_IMAGE', { numberOfImages: 1, quality: 'premium', seed: 7 }, []],
    ],
    [CANVAS, { quality: 'hd' }, [], ['TEXT_IMAGE', { numberOfImages: 1, quality: 'premium' }, ['quality replaced']]],
    [CANVAS, { quality: 'auto' }, [], ['TEXT_IMAGE', { numberOfImages: 1 }, []]],
    [CANVAS, { seed: 4_294_967_295 }, [], ['TEXT_IMAGE', { numberOfImages: 1, seed: 2_147_483_646 }, ['seed clamped']]],
    [CANVAS, { watermark: true }, [], ['TEXT_IMAGE', { numberOfImages: 1 }, ['watermark dropped']]],
    [CANVAS, { prompt: undefined }, ['reference', 'reference'], ['IMAGE_VARIATION', { numberOfImages: 1 }, []]],
    [CANVAS, { size: '512x512' }, ['reference', 'mask'], ['INPAINTING', { numberOfImages: 1 }, ['size dropped']]],
    [
      TITAN,
      { size: '1000x1000' },
      [],
      ['TEXT_IMAGE', { numberOfImages: 1, width: 1024, height: 1024 }, ['size clamped']],
    ],
    [TITAN, { size: '768x1280' }, [], ['TEXT_IMAGE', { numberOfImages: 1, width: 768, height: 1280 }, []]],
    [CANVAS, { prompt: undefined }, [], 'prompt is required by this model'],
    [TITAN, { prompt: 'a'.repeat(513) }, [], 'prompt must be at most 512 characters for this model'],
    [CANVAS, {}, ['mask'], 'mask requires exactly one image to edit'],
    [CANVAS, {}, ['reference', 'reference', 'mask'], 'mask requires exactly one image to edit'],
    [
      CANVAS,
      {},
      Array.from({ length: 6 }, () => 'reference' as const),
      'reference must appear at most 5 times for this model',
    ],
  ])('%s with %o and %o', (model, params, roles, expected) => {
    expect(image(model, params, roles)).toEqual(expected);
  });
});

const { planned, refused } = planRig(planBedrockVideo);
const reel = (durationSeconds: number, more: object = {}) => ({
  format: 'nova-reel',
  isLong: durationSeconds > 6,
  config: { durationSeconds, fps: 24, dimension: '1280x720', ...more },
});
const luma = (duration: string, more: object = {}) => ({ input: { prompt: 'a kite', duration, ...more } });

describe('videos', () => {
  it.each<[string, Partial<VideoRequest>, ImageRole[], object, string[]]>([
    [REEL, {}, [], reel(6), []],
    [REEL, { seconds: '12', size: '1280x720', seed: 3 }, [], reel(12, { seed: 3 }), []],
    [REEL, { seconds: '130', audio: false }, [], reel(120), ['seconds clamped']],
    [REEL, { seconds: '12' }, ['first_frame'], reel(6), ['seconds clamped']],
    [REEL, { size: '1920x1080', fps: 30 }, [], reel(6), ['fps dropped', 'size clamped']],
    ['amazon.nova-reel-v1:0', { seconds: '12' }, [], reel(6), ['seconds clamped']],
    ['arn:aws:bedrock:us-east-1:1:application-inference-profile/a', { seconds: '12' }, [], reel(12), []],
    [LUMA, {}, [], luma('5s'), []],
    [
      LUMA,
      { seconds: '9', aspectRatio: '9:21', resolution: '540p' },
      ['first_frame', 'last_frame'],
      luma('9s', { aspect_ratio: '9:21', resolution: '540p' }),
      [],
    ],
    [LUMA, { seconds: '4', seed: 1 }, [], luma('5s'), ['seed dropped', 'seconds clamped']],
  ])('%s with %o and %o', (model, params, roles, plan, losses) => {
    expect(planned(model, params, roles)).toMatchObject({ ...plan, losses });
  });

  it.each<[string, Partial<VideoRequest>, ImageRole[], string]>([
    [REEL, { prompt: undefined }, ['first_frame'], 'prompt is required by this model'],
    [REEL, { prompt: 'a'.repeat(513) }, [], 'prompt must be at most 512 characters for this model'],
    [REEL, { prompt: 'a'.repeat(513), seconds: '12' }, [], 'taken'],
    [REEL, { prompt: 'a'.repeat(4001), seconds: '12' }, [], 'prompt must be at most 4000 characters for this model'],
    [REEL, {}, ['first_frame', 'last_frame'], 'lastFrame is not supported by this model'],
    [LUMA, {}, ['last_frame'], 'lastFrame requires a first frame for this model'],
    [LUMA, {}, ['reference'], 'reference is not supported by this model'],
  ])('%s with %o and %o: %s', (model, params, roles, message) => {
    expect(refused(model, params, roles)).toBe(message);
  });
});
