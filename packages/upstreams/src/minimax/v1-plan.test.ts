import type { ImageRole, VideoRequest } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { planRig } from '../../test/plan-rig.ts';
import { planV1 } from './v1-plan.ts';

const { planned, refused } = planRig(planV1);

const H2 = 'MiniMax-Hailuo-2.3';
const H0 = 'MiniMax-Hailuo-02';

describe('duration and resolution', () => {
  it.each([
    [H2, {}, [], { duration: 6 }, []],
    [H2, { seconds: '10' }, [], { duration: 10 }, []],
    [H2, { seconds: '8' }, [], { duration: 10 }, ['seconds clamped']],
    [H2, { seconds: '4' }, [], { duration: 6 }, ['seconds clamped']],
    [H2, { resolution: '1080p' }, [], { duration: 6, resolution: '1080P' }, []],
    [H2, { resolution: '720p' }, [], { duration: 6, resolution: '768P' }, ['resolution clamped']],
    [H2, { resolution: '1080p', seconds: '10' }, [], { duration: 10, resolution: '768P' }, ['resolution clamped']],
    [H2, { size: '1920x1080' }, [], { duration: 6, resolution: '1080P' }, ['size replaced']],
    [H0, { resolution: '512p' }, ['first_frame'], { duration: 6, resolution: '512P' }, []],
    [H0, { resolution: '512p' }, [], { duration: 6, resolution: '768P' }, ['resolution clamped']],
    [H0, { resolution: '512p' }, ['first_frame', 'last_frame'], { resolution: '768P' }, ['resolution clamped']],
    ['T2V-01-Director', { seconds: '10' }, [], { duration: 6 }, ['seconds clamped']],
    ['Hailuo-9', { seconds: '20', resolution: '1080p' }, [], { duration: 20, resolution: '1080P' }, []],
    ['Hailuo-9', { seconds: '2.5' }, [], { duration: 3 }, ['seconds clamped']],
    ['Hailuo-9', {}, [], {}, []],
  ] satisfies [string, Partial<VideoRequest>, ImageRole[], object, string[]][])(
    '%s: %o with %o',
    (model, request, roles, options, losses) => {
      const plan = planned(model, request, roles);
      expect(plan.options).toMatchObject(options);
      expect(plan.losses).toEqual(losses);
      expect(plan.seconds).toBe(plan.options.duration === undefined ? undefined : String(plan.options.duration));
    },
  );
});

describe('other fields', () => {
  it('are sent where there is a field', () => {
    expect(planned(H2, { promptExtend: false, watermark: true, audio: false, aspectRatio: '16:9' })).toMatchObject({
      options: { prompt_optimizer: false, aigc_watermark: true },
      losses: [],
    });
  });

  it('are reported as dropped where there is none', () => {
    const request = { negativePrompt: 'rain', fps: 30, seed: 7, audio: true, aspectRatio: '9:16' };
    expect(planned(H2, request).losses).toEqual([
      'negativePrompt dropped',
      'fps dropped',
      'seed dropped',
      'audio dropped',
      'aspectRatio dropped',
    ]);
    expect(planned(H2, { aspectRatio: '16:9' }, ['first_frame']).losses).toEqual(['aspectRatio dropped']);
  });
});

describe('images', () => {
  it.each([
    [H2, ['first_frame']],
    [H0, ['first_frame', 'last_frame']],
    [H0, ['last_frame']],
    ['S2V-01', ['reference']],
    ['Hailuo-9', ['first_frame', 'last_frame', 'reference']],
  ] satisfies [string, ImageRole[]][])('%s accepts %o', (model, roles) => {
    expect(planned(model, {}, roles)).toMatchObject({ roles, losses: [] });
  });

  it('sends a single first frame as the reference of a model that accepts only references', () => {
    expect(planned('S2V-01', {}, ['first_frame'])).toMatchObject({
      roles: ['reference'],
      losses: ['firstFrame replaced'],
    });
  });

  it.each([
    [H2, ['last_frame'], 'lastFrame is not supported by this model'],
    [H2, ['reference'], 'reference is not supported by this model'],
    ['MiniMax-Hailuo-2.3-Fast', [], 'firstFrame is required by this model'],
    ['I2V-01-live', [], 'firstFrame is required by this model'],
    ['T2V-01', ['first_frame'], 'firstFrame is not supported by this model'],
    ['S2V-01', [], 'reference is required by this model'],
    ['S2V-01', ['reference', 'reference'], 'reference must appear at most 1 times for this model'],
    ['Hailuo-9', ['mask'], 'mask is not supported by this model'],
  ] satisfies [string, ImageRole[], string][])('%s refuses %o', (model, roles, message) => {
    expect(refused(model, {}, roles)).toBe(message);
  });
});

it('limits a prompt to 2000 characters, and requires none with an image', () => {
  expect(refused(H2, { prompt: 'x'.repeat(2001) })).toContain('2000');
  expect(refused(H2, { prompt: undefined })).toBe('prompt is required by this model');
  expect(refused(H2, { prompt: undefined }, ['first_frame'])).toBe('taken');
});

it('refuses a variation of another video', () => {
  expect(refused(H2, { remix: { taskId: 'a', upstreamId: 'b' } })).toContain('remix');
});
