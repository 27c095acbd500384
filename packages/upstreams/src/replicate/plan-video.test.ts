import { type ImageRole, type MediaLoss, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { planReplicateVideo } from './plan-video.ts';

function planned(model: string, params: Partial<VideoRequest> = {}, roles: ImageRole[] = []) {
  const losses: MediaLoss[] = [];
  const images = roles.map((role) => ({ role, source: { kind: 'url', url: 'https://c.example/a.png' } as const }));
  const request: VideoRequest = { kind: 'video', prompt: 'a kite', images, ...params };
  const { input, seconds } = planReplicateVideo(model, request, (loss) => losses.push(loss));
  const { prompt, ...rest } = input;
  return { prompt, input: rest, seconds, losses: losses.map(({ field, how }) => `${field} ${how}`) };
}

function refused(model: string, params: Partial<VideoRequest>, roles: ImageRole[] = []): string {
  try {
    planned(model, params, roles);
  } catch (error) {
    if (error instanceof UnsupportedParamsError) return error.message;
    throw error;
  }
  return 'taken';
}

describe('unknown model', () => {
  it('gets all fields under the most common names', () => {
    const params = {
      negativePrompt: 'rain',
      seconds: '5',
      aspectRatio: '5:4',
      resolution: '540p',
      fps: 24,
      seed: 7,
      audio: false,
    };
    expect(planned('me/clip', params)).toEqual({
      prompt: 'a kite',
      input: {
        negative_prompt: 'rain',
        duration: 5,
        aspect_ratio: '5:4',
        resolution: '540p',
        fps: 24,
        seed: 7,
        generate_audio: false,
      },
      seconds: '5',
      losses: [],
    });
    expect(planned('me/clip')).toMatchObject({ input: {}, seconds: undefined, losses: [] });
  });

  it.each([
    [{ size: '1280x720' }, { aspect_ratio: '16:9', resolution: '720p' }, ['size replaced']],
    [{ size: '1080x1920' }, { aspect_ratio: '9:16', resolution: '1080p' }, ['size replaced']],
    [{ seconds: '7.6' }, { duration: 8 }, ['seconds clamped']],
    [{ watermark: true, promptExtend: false }, {}, ['watermark dropped', 'promptExtend dropped']],
  ])('gets %o as %o', (params, input, losses) => {
    expect(planned('me/clip', params)).toMatchObject({ input, losses });
  });

  it('uses options for fields that the request has not set', () => {
    const metadata = { duration: 10, prompt: 'x', input: { guidance: 3, Prompt: 'x' }, webhook: 'https://c.example/' };
    expect(planned('me/clip', { seconds: '5', metadata })).toMatchObject({
      prompt: 'a kite',
      input: { duration: 5, guidance: 3 },
      seconds: '5',
    });
    const { input, seconds } = planned('me/clip', { metadata });
    expect(Object.keys(input)).toEqual(['duration', 'guidance']);
    expect(seconds).toBe('10');
  });

  it.each(['ten', 'Infinity', '1e400', '1e21', '0x10', '', -1, 0, 1e21, Infinity, [5], true, null])(
    'has no known duration if an option sets %j',
    (duration) => {
      expect(planned('me/clip', { metadata: { duration } }).seconds).toBeUndefined();
    },
  );

  it.each(['duration_seconds', 'numFrames', 'length'])(
    'has no known duration if an option also sets it as %s',
    (name) => {
      expect(planned('me/clip', { seconds: '5', metadata: { [name]: 600 } }).seconds).toBeUndefined();
      expect(planned('me/clip', { metadata: { duration: 1, input: { [name]: 600 } } }).seconds).toBeUndefined();
    },
  );

  it('accepts frames and references, and requires a prompt or an image', () => {
    expect(planned('me/clip', {}, ['first_frame', 'last_frame', 'reference', 'reference']).losses).toEqual([]);
    expect(planned('me/clip', { prompt: '' }, ['first_frame'])).not.toHaveProperty('prompt', '');
    expect(refused('me/clip', { prompt: ' ' })).toBe('prompt is required by this model');
    expect(refused('me/clip', {}, ['mask'])).toContain('mask is not supported');
    expect(refused('me/clip', {}, ['first_frame', 'first_frame'])).toContain('firstFrame must appear at most 1');
    expect(refused('me/clip', { remix: { taskId: 'video_a', upstreamId: 'a' } })).toContain('remix is not supported');
  });
});

describe('durations and frames', () => {
  it.each([
    ['wan-video/wan-2.5-t2v', {}, { duration: 5 }, []],
    ['wan-video/wan-2.5-t2v', { seconds: '8' }, { duration: 10 }, ['seconds clamped']],
    ['wan-video/wan-2.5-t2v', { aspectRatio: '9:16' }, { duration: 5, size: '720*1280' }, []],
    ['wan-video/wan-2.5-t2v-fast', { size: '1280x720' }, { duration: 5, size: '1280*720' }, []],
    ['wan-video/wan-2.5-t2v', { size: '1024x1024' }, { duration: 5, size: '1280*720' }, ['size clamped']],
    ['wan-video/wan-2.2-t2v-fast', { seconds: '5', resolution: '480p' }, { resolution: '480p' }, ['seconds dropped']],
    ['google/veo-3', { seconds: '5' }, { duration: 6 }, ['seconds clamped']],
    [
      'google/veo-3-fast',
      { size: '1080x1920' },
      { duration: 8, aspect_ratio: '9:16', resolution: '1080p' },
      ['size replaced'],
    ],
    ['kwaivgi/kling-v2.0', { size: '1280x720' }, { duration: 5, aspect_ratio: '16:9' }, ['size replaced']],
    ['kwaivgi/kling-v3-video', { resolution: '720p' }, { duration: 5, mode: 'standard' }, []],
    ['kwaivgi/kling-o1', { resolution: '4k' }, { duration: 5, mode: 'pro' }, ['resolution clamped']],
    ['kwaivgi/kling-v2.6', { seconds: '7' }, { duration: 7 }, []],
    ['minimax/hailuo-02', { resolution: '1080p' }, { duration: 6, resolution: '1080p' }, []],
    ['minimax/hailuo-02', { seconds: '10' }, { duration: 10, resolution: '768p' }, []],
    [
      'minimax/hailuo-02',
      { seconds: '10', resolution: '1080p' },
      { duration: 10, resolution: '768p' },
      ['resolution clamped'],
    ],
    ['minimax/hailuo-2.3', { aspectRatio: '16:9' }, { duration: 6 }, ['aspectRatio dropped']],
    ['bytedance/seedance-1-pro', { seconds: '30' }, { duration: 12 }, ['seconds clamped']],
    [
      'bytedance/seedance-2.0-fast',
      { resolution: '1080p' },
      { duration: 5, resolution: '720p' },
      ['resolution clamped'],
    ],
    ['openai/sora-2', { seconds: '8', size: '720x1280' }, { seconds: 8, aspect_ratio: 'portrait' }, ['size replaced']],
    ['openai/sora-2', { aspectRatio: '1:1' }, { seconds: 4, aspect_ratio: 'landscape' }, ['aspectRatio clamped']],
    ['openai/sora-2-pro', { resolution: '1080p' }, { seconds: 4, resolution: 'high' }, ['resolution clamped']],
    ['luma/ray-2-720p', { resolution: '720p' }, { duration: 5 }, ['resolution dropped']],
    [
      'pixverse/pixverse-v4.5',
      { seconds: '8', resolution: '1080p' },
      { duration: 8, quality: '720p' },
      ['resolution clamped'],
    ],
    ['pixverse/pixverse-v6', { resolution: '1080p' }, { quality: '1080p' }, []],
  ] as [string, Partial<VideoRequest>, object, string[]][])('of %s: %o', (model, params, input, losses) => {
    expect(planned(model, params)).toMatchObject({ input, losses });
    expect(planned(model, params).input).toEqual(input);
  });

  it('of a video with a first frame: the frame determines the aspect ratio', () => {
    const params = { size: '1280x720', resolution: '480p' };
    expect(planned('bytedance/seedance-1-pro', params, ['first_frame'])).toMatchObject({
      input: { duration: 5, resolution: '480p' },
      losses: ['size replaced'],
    });
    expect(planned('kwaivgi/kling-v2.0', { size: '1280x720' }, ['first_frame']).losses).toEqual(['size dropped']);
    expect(planned('kwaivgi/kling-v2.0', { aspectRatio: '1:1' }, ['first_frame']).losses).toEqual([
      'aspectRatio dropped',
    ]);
    expect(planned('google/veo-3', { aspectRatio: '9:16' }, ['first_frame']).input).toMatchObject({
      aspect_ratio: '9:16',
    });
  });

  it('of Veo with references have one choice', () => {
    const params = { seconds: '4', aspectRatio: '9:16' };
    expect(planned('google/veo-3.1', params, ['reference'])).toMatchObject({
      input: { duration: 8, aspect_ratio: '16:9' },
      seconds: '8',
      losses: ['seconds clamped', 'aspectRatio clamped'],
    });
  });

  it('of Kling with a last frame use the `pro` mode', () => {
    expect(planned('kwaivgi/kling-v2.1', {}, ['first_frame', 'last_frame']).input).toEqual({
      duration: 5,
      mode: 'pro',
    });
    expect(planned('kwaivgi/kling-v2.1', {}, ['first_frame']).input).toEqual({ duration: 5 });
  });
});

describe('other fields', () => {
  const all = { seed: 7, negativePrompt: 'rain', audio: true, promptExtend: false, fps: 24 };
  it.each([
    ['google/veo-3', { seed: 7, negative_prompt: 'rain', generate_audio: true }, ['promptExtend', 'fps']],
    ['wan-video/wan-2.5-t2v', { seed: 7, negative_prompt: 'rain', enable_prompt_expansion: false }, ['fps']],
    ['minimax/hailuo-02', { prompt_optimizer: false }, ['seed', 'negativePrompt', 'audio', 'fps']],
    ['openai/sora-2', {}, ['seed', 'negativePrompt', 'promptExtend', 'fps']],
  ])('are sent as %s or dropped', (model, input, dropped) => {
    const plan = planned(model, all);
    expect(plan.input).toMatchObject(input);
    expect(plan.losses).toEqual(dropped.map((field) => `${field} dropped`));
  });

  it('are no loss if they match what the model always does', () => {
    expect(planned('openai/sora-2', { audio: false }).losses).toEqual(['audio dropped']);
    expect(planned('luma/ray-2-720p', { audio: false }).losses).toEqual([]);
  });
});

it('ignores options that would replace planned inputs of a known model', () => {
  const metadata = { duration: 60, Size: 'x', start_image: 'x', image: 'x', cfg_scale: 0.7, prompt: 'x', mode: 'pro' };
  const { input, seconds } = planned('kwaivgi/kling-v2.1-master', { metadata, seconds: '10', aspectRatio: '1:1' });
  expect(input).toEqual({ duration: 10, aspect_ratio: '1:1', Size: 'x', image: 'x', cfg_scale: 0.7, mode: 'pro' });
  expect(seconds).toBe('10');
});

describe('refused requests', () => {
  it.each([
    ['wan-video/wan-2.5-i2v', [], 'firstFrame is required by this model'],
    ['wan-video/wan-2.5-t2v', ['first_frame'], 'firstFrame is not supported by this model'],
    ['google/veo-3', ['last_frame'], 'lastFrame is not supported by this model'],
    ['google/veo-3.1', ['last_frame'], 'lastFrame requires a first frame for this model'],
    [
      'google/veo-3.1',
      ['reference', 'reference', 'reference', 'reference'],
      'reference must appear at most 3 times for this model',
    ],
    [
      'bytedance/seedance-2.0',
      ['first_frame', 'reference'],
      'reference cannot be combined with a first or last frame for this model',
    ],
    ['kwaivgi/kling-o1', ['first_frame', 'reference'], 'taken'],
    ['luma/ray-2-720p', ['last_frame'], 'taken'],
    ['minimax/hailuo-2.3-fast', [], 'firstFrame is required by this model'],
  ] as [string, ImageRole[], string][])('by %s %j: %s', (model, roles, message) => {
    expect(refused(model, {}, roles)).toBe(message);
  });

  it('a missing or too long prompt', () => {
    expect(refused('google/veo-3', { prompt: '' }, ['first_frame'])).toBe('prompt is required by this model');
    expect(refused('kwaivgi/kling-v3-video', { prompt: 'a'.repeat(2501) })).toContain('at most 2500 characters');
  });
});

it('refuses invalid model names', () => {
  expect(() => planned('clip')).toThrow('Model does not exist.');
});
