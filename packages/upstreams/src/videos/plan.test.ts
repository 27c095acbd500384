import type { ImageRole, InputImage, MediaLoss, VideoRequest } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { planVideo } from './plan.ts';

function planOf(params: Partial<VideoRequest>) {
  const losses: MediaLoss[] = [];
  const plan = planVideo({ kind: 'video', prompt: 'a red kite', images: [], ...params }, (loss) => losses.push(loss));
  return { ...plan, losses: losses.map(({ field, how }) => `${field} ${how}`) };
}
const images = (...roles: ImageRole[]): InputImage[] =>
  roles.map((role) => ({ role, source: { kind: 'url', url: 'https://x.example/a.png' } }));

it('leaves durations and sizes to the upstream', () => {
  expect(planOf({ seconds: '37.5', size: '100x7' })).toEqual({ seconds: '37.5', size: '100x7', losses: [] });
  expect(planOf({})).toEqual({ losses: [] });
});

it.each([
  [{ aspectRatio: '16:9' }, '1280x720', ['aspectRatio replaced']],
  [{ aspectRatio: '9:16' }, '720x1280', ['aspectRatio replaced']],
  [{ aspectRatio: '1:1' }, '720x720', ['aspectRatio replaced']],
  [{ aspectRatio: '21:9' }, '1680x720', ['aspectRatio replaced']],
  [{ resolution: '1080p' }, '1920x1080', ['resolution replaced']],
  [{ resolution: '480p', aspectRatio: '9:16' }, '480x854', ['resolution replaced', 'aspectRatio replaced']],
  [{ resolution: '4k', aspectRatio: '9:16' }, '2160x3840', ['resolution replaced', 'aspectRatio replaced']],
  [{ resolution: 'huge' }, undefined, ['resolution dropped']],
  [{ resolution: 'huge', aspectRatio: '9:16' }, '720x1280', ['resolution dropped', 'aspectRatio replaced']],
  [{ size: '640x360', aspectRatio: '9:16' }, '640x360', []],
])('turns an aspect ratio into a size: %o', (params, size, losses) => {
  expect(planOf(params)).toEqual({ ...(size && { size }), losses });
});

it('reports fields that the protocol lacks', () => {
  const params = { fps: 24, audio: false, watermark: true, promptExtend: true, seed: 7, negativePrompt: 'rain' };
  expect(planOf(params).losses).toEqual(['fps dropped', 'audio dropped', 'watermark dropped', 'promptExtend dropped']);
});

it('accepts one image, as a first frame or a reference', () => {
  expect(planOf({ images: images('first_frame') }).losses).toEqual([]);
  expect(planOf({ images: images('reference') }).losses).toEqual([]);
});

it.each([
  [['last_frame'], 'lastFrame is not supported by this model'],
  [['first_frame', 'last_frame'], 'lastFrame is not supported by this model'],
  [['mask'], 'mask is not supported by this model'],
  [['reference', 'reference'], 'reference must appear at most 1 times for this model'],
  [['first_frame', 'reference'], 'reference cannot be combined with another image for this model'],
] as const)('refuses the images %j', (roles, message) => {
  expect(() => planOf({ images: images(...roles) })).toThrow(message);
});

it('sends only the prompt of a variation', () => {
  const remix = { taskId: 'video_a', upstreamId: 'up_a' };
  const params = { seconds: '8', size: '1280x720', seed: 7, metadata: { mode: 'pro' }, fps: 24, remix };
  expect(planOf(params)).toEqual({
    losses: ['fps dropped', 'seed dropped', 'seconds dropped', 'size dropped', 'metadata dropped'],
  });
  expect(() => planOf({ remix, prompt: ' ' })).toThrow('prompt is required by this model');
  expect(() => planOf({ remix, images: images('first_frame') })).toThrow('firstFrame is not supported');
});
