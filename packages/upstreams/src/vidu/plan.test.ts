import type { ImageRole, VideoRequest } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { planRig } from '../../test/plan-rig.ts';
import { planVidu } from './plan.ts';

const { planned, refused } = planRig(planVidu);

describe('duration and resolution', () => {
  it.each([
    ['viduq3-pro', {}, { duration: 5 }, []],
    ['viduq3-turbo', { seconds: '16' }, { duration: 16 }, []],
    ['viduq3-pro', { seconds: '20', resolution: '1080p' }, { duration: 16, resolution: '1080p' }, ['seconds clamped']],
    ['viduq2', { seconds: '12' }, { duration: 10 }, ['seconds clamped']],
    [
      'viduq1',
      { seconds: '8', resolution: '720p' },
      { duration: 5, resolution: '1080p' },
      ['seconds clamped', 'resolution clamped'],
    ],
    ['vidu1.5', {}, { duration: 4 }, []],
    ['vidu1.5', { resolution: '1080p' }, { duration: 4, resolution: '1080p' }, []],
    ['vidu1.5', { seconds: '8', resolution: '1080p' }, { duration: 8, resolution: '720p' }, ['resolution clamped']],
    ['vidu9', {}, {}, []],
    ['vidu9', { seconds: '30', resolution: '4k' }, { duration: 30, resolution: '4k' }, []],
    ['vidu9', { seconds: '0.4' }, { duration: 1 }, ['seconds clamped']],
    ['viduq3-pro', { size: '1280x720' }, { duration: 5, resolution: '720p', aspect_ratio: '16:9' }, ['size replaced']],
    ['viduq3-pro', { aspectRatio: '4:3' }, { duration: 5, aspect_ratio: '4:3' }, []],
    ['viduq1', { aspectRatio: '4:3' }, { duration: 5, aspect_ratio: '16:9' }, ['aspectRatio clamped']],
  ] as [string, Partial<VideoRequest>, object, string[]][])('%s: %o', (model, request, options, losses) => {
    const plan = planned(model, request);
    expect([plan.options, plan.losses]).toEqual([options, losses]);
    expect(plan.seconds).toBe(plan.options.duration === undefined ? undefined : String(plan.options.duration));
  });
});

describe('endpoint', () => {
  it.each([
    [[], '/text2video'],
    [['first_frame'], '/img2video'],
    [['last_frame', 'first_frame'], '/start-end2video'],
    [['reference', 'reference'], '/reference2video'],
  ] as [ImageRole[], string][])('for %o is %s', (roles, endpoint) => {
    expect(planned('viduq2', {}, roles).endpoint).toBe(endpoint);
  });

  it.each([
    ['viduq2', ['last_frame'], 'lastFrame requires a first frame for this model'],
    ['viduq2', ['first_frame', 'reference'], 'reference cannot be combined with a first or last frame for this model'],
    ['viduq2', Array.from({ length: 8 }, () => 'reference'), 'reference must appear at most 7 times for this model'],
    ['vidu2.0', Array.from({ length: 4 }, () => 'reference'), 'reference must appear at most 3 times for this model'],
    ['viduq2', ['mask'], 'mask is not supported by this model'],
    ['vidu2.0', [], 'firstFrame is required by this model'],
  ] as [string, ImageRole[], string][])('%s has none for %o', (model, roles, message) => {
    expect(refused(model, {}, roles)).toBe(message);
  });
});

it('ignores the aspect ratio with frames', () => {
  const plan = planned('viduq3-pro', { aspectRatio: '9:16' }, ['first_frame']);
  expect([plan.options, plan.losses]).toEqual([{ duration: 5 }, ['aspectRatio dropped']]);
  expect(planned('viduq3-pro', { size: '1280x720' }, ['first_frame'])).toMatchObject({
    options: { resolution: '720p' },
    losses: ['size replaced'],
  });
});

it('sends other fields where supported and reports the rest', () => {
  expect(planned('viduq3-pro', { seed: 7, audio: false, watermark: true })).toMatchObject({
    options: { seed: 7, audio: false, watermark: true },
    losses: [],
  });
  const request = { negativePrompt: 'rain', fps: 30, promptExtend: true, audio: true };
  expect(planned('viduq1', request).losses).toEqual([
    'negativePrompt dropped',
    'fps dropped',
    'promptExtend dropped',
    'audio dropped',
  ]);
  expect(planned('viduq1', { audio: false })).toMatchObject({ options: { duration: 5 }, losses: [] });
});

it('requires no prompt with frames', () => {
  expect(refused('viduq2', { prompt: undefined }, ['first_frame'])).toBe('taken');
  expect(refused('viduq2', { prompt: undefined }, ['reference'])).toBe('prompt is required by this model');
  expect(refused('viduq2', { prompt: '' })).toBe('prompt is required by this model');
  expect(refused('viduq2', { prompt: 'x'.repeat(5001) })).toContain('5000');
});

it('refuses a variation of another video', () => {
  expect(refused('viduq2', { remix: { taskId: 'a', upstreamId: 'b' } })).toContain('remix');
});
