import type { ImageRole, MediaLoss, VideoRequest } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { planFalVideo } from './plan-video.ts';

function planOf(params: Partial<VideoRequest>, model = 'fal-ai/clip') {
  const losses: MediaLoss[] = [];
  const request: VideoRequest = { kind: 'video', prompt: 'a red kite', images: [], ...params };
  const { fields, seconds } = planFalVideo(model, request, (loss) => losses.push(loss));
  return { fields, seconds, losses: losses.map(({ field, how }) => `${field} ${how}`) };
}
const images = (...roles: ImageRole[]) => ({
  images: roles.map((role) => ({ role, source: { kind: 'url', url: 'https://x.example/a.png' } as const })),
});

it('sends all fields under the most common names', () => {
  const params = {
    negativePrompt: 'rain',
    seconds: '5',
    aspectRatio: '5:4',
    resolution: '540p',
    seed: 7,
    audio: false,
  };
  expect(planOf(params)).toEqual({
    seconds: '5',
    fields: {
      negative_prompt: 'rain',
      duration: '5',
      aspect_ratio: '5:4',
      resolution: '540p',
      seed: 7,
      generate_audio: false,
    },
    losses: [],
  });
  expect(planOf({})).toEqual({ fields: {}, seconds: undefined, losses: [] });
});

it.each([
  [{ size: '1280x720' }, { aspect_ratio: '16:9', resolution: '720p' }, ['size replaced']],
  [{ size: '1080x1920' }, { aspect_ratio: '9:16', resolution: '1080p' }, ['size replaced']],
  [{ size: '1000x1000' }, { aspect_ratio: '1:1', resolution: '1080p' }, ['size replaced', 'size clamped']],
])('sends a size as aspect ratio and resolution: %o', (params, fields, losses) => {
  expect(planOf(params)).toMatchObject({ fields, losses });
});

it.each([
  ['fal-ai/kling-video/v2.1/pro/image-to-video', '8', '10'],
  ['fal-ai/kling-video/v2.6/pro/text-to-video', '7', '5'],
  ['fal-ai/kling-video/o1/image-to-video', '12', '10'],
  ['fal-ai/kling-video/v3/pro/text-to-video', '20', '15'],
  ['fal-ai/veo3', '5', '6s'],
  ['fal-ai/veo2', '3', '5s'],
  ['fal-ai/luma-dream-machine/ray-2', '7', '9s'],
  ['fal-ai/bytedance/seedance/v1/pro/text-to-video', '1', '2'],
  ['fal-ai/bytedance/seedance/v1.5/pro/text-to-video', '2', '4'],
  ['fal-ai/minimax/hailuo-02/standard/text-to-video', '5', '6'],
  ['fal-ai/pixverse/v5/text-to-video', '10', '8'],
  ['fal-ai/pixverse/v5.5/text-to-video', '12', '10'],
  ['fal-ai/sora-2/text-to-video', '5', 4],
  ['fal-ai/ltx-2/text-to-video', '5', 6],
  ['fal-ai/wan-25-preview/text-to-video', '8', '10'],
  ['wan/v2.6/text-to-video', '20', '15'],
  ['fal-ai/clip', '4.6', '5'],
])('%s sends the nearest supported duration for %s seconds', (model, seconds, duration) => {
  const planned = planOf({ seconds }, model);
  expect(planned).toMatchObject({ fields: { duration }, losses: ['seconds clamped'] });
  expect(planned.seconds).toBe(String(Number.parseInt(String(duration), 10)));
});

it.each([
  ['fal-ai/wan/v2.2-a14b/text-to-video', { seconds: '5' }, {}, ['seconds dropped']],
  ['fal-ai/minimax/hailuo-02/pro/text-to-video', { seconds: '6' }, {}, ['seconds dropped']],
  [
    'fal-ai/kling-video/v3/pro/text-to-video',
    { aspectRatio: '5:4', resolution: '1080p' },
    { aspect_ratio: '1:1' },
    ['aspectRatio clamped', 'resolution dropped'],
  ],
  ['fal-ai/veo3', { size: '720x1280' }, { aspect_ratio: '9:16', resolution: '720p' }, ['size replaced']],
  [
    'fal-ai/minimax/hailuo-02/standard/image-to-video',
    { aspectRatio: '16:9', resolution: '768p' },
    { resolution: '768p' },
    ['aspectRatio dropped'],
  ],
  ['fal-ai/ltx-2.3/text-to-video', { resolution: '4k' }, { resolution: '2160p' }, []],
])('sends %s the fields it has for %o', (model, params, fields, losses) => {
  const planned = planOf(params, model);
  expect(planned).toMatchObject({ losses });
  expect(planned.fields).toEqual(fields);
});

it('reports fields that no model has', () => {
  expect(planOf({ fps: 24, watermark: true, promptExtend: false }).losses).toEqual([
    'fps dropped',
    'watermark dropped',
    'promptExtend dropped',
  ]);
});

it('accepts any images of a video, and requires a prompt or an image', () => {
  expect(planOf(images('first_frame', 'last_frame', 'reference', 'reference')).losses).toEqual([]);
  expect(planOf({ prompt: '', ...images('first_frame') }).losses).toEqual([]);
  expect(() => planOf({ prompt: '' })).toThrow('prompt is required');
  expect(() => planOf(images('mask'))).toThrow('mask is not supported');
  expect(() => planOf(images('first_frame', 'first_frame'))).toThrow('firstFrame must appear at most 1 times');
  expect(() => planOf({ remix: { taskId: 'video_a', upstreamId: 'a' } })).toThrow('remix is not supported');
});

it('refuses invalid model names', () => {
  expect(() => planOf({}, 'fal-ai/../admin')).toThrow('Model does not exist.');
});
