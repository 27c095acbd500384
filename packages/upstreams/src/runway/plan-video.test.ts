import type { ImageRole, MediaLoss, VideoRequest } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { planRunwayVideo } from './plan-video.ts';

function planOf(model: string, params: Partial<VideoRequest> = {}) {
  const losses: MediaLoss[] = [];
  const request: VideoRequest = { kind: 'video', prompt: 'a red kite', images: [], ...params };
  const plan = planRunwayVideo(model, request, (loss) => losses.push(loss));
  return { ...plan, losses: losses.map(({ field, how }) => `${field} ${how}`) };
}
const images = (...roles: ImageRole[]) => ({
  images: roles.map((role) => ({ role, source: { kind: 'url', url: 'https://x.example/a.png' } as const })),
});
const FIRST = images('first_frame');

describe('frame', () => {
  it.each([
    ['gen4.5', {}, { ratio: '1280:720' }, []],
    ['gen4.5', { size: '720x1280' }, { ratio: '720:1280' }, []],
    ['gen4.5', { aspectRatio: '1:1' }, { ratio: '1280:720' }, ['aspectRatio clamped']],
    ['gen4.5', { aspectRatio: '1:1', ...FIRST }, { ratio: '960:960' }, []],
    ['gen4_turbo', { size: '1920x1080', ...FIRST }, { ratio: '1280:720' }, ['size clamped']],
    ['veo3.1', { size: '1080x1920' }, { ratio: '1080:1920' }, []],
    ['veo3.1_fast', { resolution: '1080p', aspectRatio: '9:16' }, { ratio: '1080:1920' }, []],
    ['seedance2', { resolution: '4k' }, { ratio: '3840:2160' }, []],
    ['seedance2_mini', { resolution: '4k' }, { ratio: '1280:720' }, ['resolution clamped']],
    ['seedance2_5', { size: '854x480' }, { ratio: '854:480' }, []],
    ['seedance2_fast', {}, {}, []],
    ['hailuo3', { size: '1920x1080' }, { ratio: '16:9', resolution: '2k' }, ['size replaced', 'size clamped']],
    [
      'hailuo3',
      { aspectRatio: '9:16', resolution: '720p' },
      { ratio: '9:16', resolution: '768p' },
      ['resolution clamped'],
    ],
    ['h3_max', { aspectRatio: '9:16', resolution: '480p' }, { resolution: '480p' }, ['aspectRatio dropped']],
    ['happyhorse_1_0', { aspectRatio: '9:16' }, { ratio: '720:1280' }, []],
    ['happyhorse_1_0', { resolution: '1080p', ...FIRST }, { resolution: '1080p' }, []],
    ['grok_imagine_1_5', { aspectRatio: '3:2' }, { ratio: '3:2' }, []],
    ['gemini_omni_flash_1.1', { resolution: '4k', aspectRatio: '9:16' }, { ratio: '2160:3840' }, []],
    ['gemini_omni_flash', { resolution: '4k' }, { ratio: '1280:720' }, ['resolution clamped']],
    ['wan3', { aspectRatio: '1:1' }, { ratio: '960:960' }, []],
    ['wan3_prime', { resolution: '1080p', ...FIRST }, { ratio: 'auto_1080p' }, []],
    ['wan3', { aspectRatio: '1:1', ...FIRST }, { ratio: 'auto_720p' }, ['aspectRatio dropped']],
    ['gen9', { size: '123x456' }, { ratio: '123:456' }, []],
    ['gen9', { aspectRatio: '2:1', resolution: '8k' }, { ratio: '2:1', resolution: '8k' }, []],
    ['gen9', {}, {}, []],
  ])('at %s: %o → %o', (model, params, frame, losses) => {
    const { options, losses: reported } = planOf(model, params);
    const { ratio, resolution } = options;
    expect({ ...(ratio && { ratio }), ...(resolution && { resolution }) }).toEqual(frame);
    expect(reported).toEqual(losses);
  });
});

it.each([
  ['gen4.5', undefined, 5, []],
  ['gen4.5', '12', 10, ['seconds clamped']],
  ['veo3.1', undefined, 8, []],
  ['veo3.1', '5', 6, ['seconds clamped']],
  ['seedance2', '15', 15, []],
  ['seedance2', '2', 4, ['seconds clamped']],
  ['happyhorse_1_0', '3', 3, []],
  ['hailuo3', '6.4', 6, ['seconds clamped']],
  ['gen9', '42', 42, []],
  ['gen9', undefined, undefined, []],
] as const)('%s: %s seconds become %s', (model, seconds, duration, losses) => {
  const plan = planOf(model, seconds === undefined ? {} : { seconds });
  expect([plan.options.duration, plan.losses]).toEqual([duration, losses]);
  expect(plan.seconds).toBe(duration === undefined ? undefined : String(duration));
});

describe('fields', () => {
  const params = { audio: true, negativePrompt: 'rain', seed: 7, fps: 24, watermark: false, promptExtend: true };

  it.each([
    ['veo3.1', ['audio', 'negativePrompt', 'seed']],
    ['gen4.5', ['seed']],
    ['seedance2', ['audio', 'seed']],
    ['wan3', ['audio']],
    ['hailuo3', []],
    ['gen9', ['audio', 'negativePrompt', 'seed']],
  ] as const)('of %s are %j; others are reported', (model, has) => {
    const { options, losses } = planOf(model, params);
    const fields = ['audio', 'negativePrompt', 'seed'] as const;
    for (const field of fields) {
      const optionalFields = has.some((one) => one === field);
      expect(options[field]).toBe(optionalFields ? params[field] : undefined);
      expect(losses.includes(`${field} dropped`)).toBe(!optionalFields);
    }
    expect(losses).toEqual(expect.arrayContaining(['fps dropped', 'watermark dropped', 'promptExtend dropped']));
  });

  it('audio false is no loss for a model without sound', () => {
    expect(planOf('gen4.5', { audio: false }).losses).toEqual([]);
  });
});

describe('images', () => {
  it.each([
    ['gen4.5', ['first_frame'], true],
    ['gen4.5', [], false],
    ['veo3.1', ['first_frame', 'last_frame'], true],
    ['seedance2', ['reference', 'reference'], false],
    ['gen9', ['last_frame'], true],
    ['gen9', ['reference'], false],
  ] as const)('%s starts from %j: %s', (model, roles, fromImage) => {
    expect(planOf(model, images(...roles)).fromImage).toBe(fromImage);
  });

  it.each([
    ['gen4.5', ['first_frame', 'last_frame'], 'lastFrame is not supported by this model'],
    ['gen4.5', ['reference'], 'reference is not supported by this model'],
    ['gen4_turbo', [], 'firstFrame is required by this model'],
    ['veo3.1', ['last_frame'], 'lastFrame requires a first frame for this model'],
    ['seedance2', ['first_frame', 'reference'], 'reference cannot be combined with a first or last frame'],
    ['seedance2', Array.from({ length: 10 }, () => 'reference' as const), 'reference must appear at most 9 times'],
    ['gen9', ['mask'], 'mask is not supported by this model'],
  ] as const)('%s refuses %j', (model, roles, message) => {
    expect(() => planOf(model, images(...roles))).toThrow(message);
  });
});

describe('prompt', () => {
  it('is required except with a first frame on some models', () => {
    expect(() => planOf('gen4.5', { prompt: '' })).toThrow('prompt is required');
    expect(() => planOf('gen4.5', { prompt: '', ...FIRST })).toThrow('prompt is required');
    expect(() => planOf('seedance2', { prompt: '', ...images('reference') })).toThrow('prompt is required');
    expect(planOf('gen4_turbo', { prompt: '', ...FIRST }).options).not.toHaveProperty('promptText');
  });

  it('must not exceed the model’s limit', () => {
    expect(() => planOf('gen4.5', { prompt: 'x'.repeat(1001) })).toThrow('prompt must be at most 1000 characters');
    expect(planOf('seedance2', { prompt: 'x'.repeat(3500) }).losses).toEqual([]);
  });
});

it('refuses a variation of another video', () => {
  expect(() => planOf('gen4.5', { remix: { taskId: 'video_a', upstreamId: 'a' } })).toThrow('remix is not supported');
});
