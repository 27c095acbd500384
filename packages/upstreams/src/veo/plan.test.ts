import type { ImageRole, VideoRequest } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { planRig } from '../../test/plan-rig.ts';
import { planVeo } from './plan.ts';

const { planned, refused } = planRig(planVeo);

const NEW = 'veo-3.1-generate-preview';
const LITE = 'veo-3.1-lite-generate-preview';
const OLD = 'veo-2.0-generate-001';

describe('duration and resolution', () => {
  it.each([
    [NEW, {}, [], { durationSeconds: 8 }, []],
    [NEW, { seconds: '4' }, [], { durationSeconds: 4 }, []],
    [NEW, { seconds: '5' }, [], { durationSeconds: 6 }, ['seconds clamped']],
    [NEW, { seconds: '20' }, [], { durationSeconds: 8 }, ['seconds clamped']],
    [OLD, { seconds: '5' }, [], { durationSeconds: 5 }, []],
    [NEW, { resolution: '4k' }, [], { durationSeconds: 8, resolution: '4k' }, []],
    [NEW, { resolution: '4k', seconds: '4' }, [], { durationSeconds: 4, resolution: '720p' }, ['resolution clamped']],
    [LITE, { resolution: '4k' }, [], { durationSeconds: 8, resolution: '1080p' }, ['resolution clamped']],
    [OLD, { resolution: '720p' }, [], { durationSeconds: 8 }, ['resolution dropped']],
    [NEW, { seconds: '4' }, ['reference'], { durationSeconds: 8 }, ['seconds clamped']],
    [NEW, { seconds: '4' }, ['first_frame', 'last_frame'], { durationSeconds: 8 }, ['seconds clamped']],
    [NEW, { seconds: '4' }, ['first_frame'], { durationSeconds: 4 }, []],
    [NEW, { size: '720x1280' }, [], { durationSeconds: 8, resolution: '720p', aspectRatio: '9:16' }, ['size replaced']],
    [NEW, { aspectRatio: '1:1' }, [], { durationSeconds: 8, aspectRatio: '16:9' }, ['aspectRatio clamped']],
    ['veo-4', {}, [], {}, []],
    ['veo-4', { seconds: '12', resolution: '4k' }, ['reference'], { durationSeconds: 12, resolution: '4k' }, []],
  ] as [string, Partial<VideoRequest>, ImageRole[], object, string[]][])(
    '%s: %o with %o',
    (model, request, roles, parameters, losses) => {
      const plan = planned(model, request, roles);
      expect([plan.parameters, plan.losses]).toEqual([parameters, losses]);
      const { durationSeconds } = plan.parameters;
      expect(plan.seconds).toBe(durationSeconds === undefined ? undefined : String(durationSeconds));
    },
  );
});

describe('other fields', () => {
  it('are sent where there is a field, or match what Veo always does', () => {
    const request = { negativePrompt: 'rain', audio: true, watermark: false, promptExtend: true };
    expect(planned(NEW, request)).toMatchObject({ parameters: { negativePrompt: 'rain' }, losses: [] });
    expect(planned(OLD, { audio: false }).losses).toEqual([]);
  });

  it('are reported as dropped where there is none', () => {
    const request = { seed: 7, fps: 30, audio: false, watermark: true, promptExtend: false };
    expect(planned(NEW, request).losses).toEqual([
      'seed dropped',
      'fps dropped',
      'audio dropped',
      'watermark dropped',
      'promptExtend dropped',
    ]);
    expect(planned(OLD, { audio: true }).losses).toEqual(['audio dropped']);
  });
});

describe('images', () => {
  it.each([
    [NEW, ['first_frame', 'last_frame'], 'taken'],
    [NEW, ['reference', 'reference', 'reference'], 'taken'],
    [NEW, Array.from({ length: 4 }, () => 'reference'), 'reference must appear at most 3 times for this model'],
    [NEW, ['last_frame'], 'lastFrame requires a first frame for this model'],
    [NEW, ['first_frame', 'reference'], 'reference cannot be combined with a first or last frame for this model'],
    [NEW, ['mask'], 'mask is not supported by this model'],
    [LITE, ['reference'], 'reference is not supported by this model'],
    ['veo-3.0-generate-001', ['first_frame', 'last_frame'], 'lastFrame is not supported by this model'],
    ['veo-4', ['reference'], 'taken'],
  ] as [string, ImageRole[], string][])('%s with %o: %s', (model, roles, message) => {
    expect(refused(model, {}, roles)).toBe(message);
  });
});

it('requires no prompt with an image', () => {
  expect(refused(NEW, { prompt: undefined })).toBe('prompt is required by this model');
  expect(refused(NEW, { prompt: undefined }, ['first_frame'])).toBe('taken');
});

it('refuses a variation of another video', () => {
  expect(refused(NEW, { remix: { taskId: 'a', upstreamId: 'b' } })).toContain('remix');
});
