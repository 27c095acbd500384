import type { ImageRole } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { planRig } from '../../test/plan-rig.ts';
import { planArk } from './plan.ts';

const PRO = 'doubao-seedance-1-0-pro-250528';
const SECOND = 'doubao-seedance-2-0-260128';

const { planned, refused } = planRig(planArk);

describe('duration', () => {
  it.each([
    [PRO, undefined, 5, []],
    [PRO, '2', 2, []],
    [PRO, '12', 12, []],
    [PRO, '15', 12, ['seconds clamped']],
    [PRO, '2.5', 3, ['seconds clamped']],
    ['seedance-1-5-pro-251215', '2', 4, ['seconds clamped']],
    [SECOND, '15', 15, []],
    ['dreamina-seedance-2-0-fast-260128', '20', 15, ['seconds clamped']],
    ['ep-20260101-abcd', '30', 30, []],
    ['ep-20260101-abcd', '7.6', 8, ['seconds clamped']],
    ['ep-20260101-abcd', undefined, undefined, []],
  ])('%s turns %s into %s', (model, seconds, duration, losses) => {
    const plan = planned(model, seconds === undefined ? {} : { seconds });
    expect([plan.options.duration, plan.losses]).toEqual([duration, losses]);
    expect(plan.seconds).toBe(duration === undefined ? undefined : String(duration));
  });
});

describe('frame', () => {
  it.each([
    [PRO, { size: '1280x720' }, { ratio: '16:9', resolution: '720p' }, ['size replaced']],
    [PRO, { size: '720x1280' }, { ratio: '9:16', resolution: '720p' }, ['size replaced']],
    [PRO, { aspectRatio: '21:9', resolution: '1080p' }, { ratio: '21:9', resolution: '1080p' }, []],
    [PRO, { resolution: '4k' }, { resolution: '1080p' }, ['resolution clamped']],
    [SECOND, { resolution: '4k' }, { resolution: '4k' }, []],
    ['doubao-seedance-2-0-fast-260128', { resolution: '1080p' }, { resolution: '720p' }, ['resolution clamped']],
    ['ep-1', { resolution: '4k' }, { resolution: '4k' }, []],
    [PRO, { aspectRatio: '2:1' }, { ratio: '16:9' }, ['aspectRatio clamped']],
  ])('%s: %o', (model, request, expected, losses) => {
    const { ratio, resolution } = planned(model, request).options;
    expect({ ...(ratio && { ratio }), ...(resolution && { resolution }) }).toEqual(expected);
    expect(planned(model, request).losses).toEqual(losses);
  });
});

describe('other fields', () => {
  it('are sent where the model has a field', () => {
    expect(planned('seedance-1-5-pro-1', { seed: 7, audio: false, watermark: true })).toMatchObject({
      options: { seed: 7, generate_audio: false, watermark: true },
      losses: [],
    });
    expect(planned('ep-1', { seed: 7, audio: true })).toMatchObject({ options: { seed: 7, generate_audio: true } });
  });

  it('are reported as dropped where it has none', () => {
    const plan = planned(SECOND, { seed: 7, negativePrompt: 'rain', fps: 30, promptExtend: true });
    expect(plan.losses).toEqual(['seed dropped', 'negativePrompt dropped', 'fps dropped', 'promptExtend dropped']);
    expect(plan.options).not.toHaveProperty('seed');
    expect(planned(PRO, { audio: true }).losses).toEqual(['audio dropped']);
    expect(planned(PRO, { audio: false }).losses).toEqual([]);
    expect(planned(PRO, { audio: false }).options).not.toHaveProperty('generate_audio');
  });
});

describe('images', () => {
  it.each([
    [PRO, ['first_frame']],
    [PRO, ['first_frame', 'last_frame']],
    [SECOND, ['reference', 'reference']],
    ['doubao-seedance-1-0-lite-i2v-250428', ['reference', 'reference', 'reference', 'reference']],
    ['ep-1', ['reference']],
  ] satisfies [string, ImageRole[]][])('%s accepts %o', (model, roles) => {
    expect(refused(model, {}, roles)).toBe('taken');
  });

  it.each([
    [PRO, ['reference'], 'reference is not supported by this model'],
    [PRO, ['last_frame'], 'lastFrame requires a first frame for this model'],
    [PRO, ['mask'], 'mask is not supported by this model'],
    [PRO, ['first_frame', 'first_frame'], 'firstFrame must appear at most 1 times for this model'],
    ['doubao-seedance-1-0-pro-fast-251015', ['first_frame', 'last_frame'], 'lastFrame is not supported by this model'],
    ['doubao-seedance-1-0-lite-t2v-250428', ['first_frame'], 'firstFrame is not supported by this model'],
    ['doubao-seedance-1-0-lite-i2v-250428', [], 'firstFrame is required by this model'],
    [SECOND, ['first_frame', 'reference'], 'reference cannot be combined with a first or last frame for this model'],
  ] satisfies [string, ImageRole[], string][])('%s refuses %o', (model, roles, message) => {
    expect(refused(model, {}, roles)).toBe(message);
  });
});

it('may replace the prompt', () => {
  expect(refused(PRO, { prompt: ' ' })).toBe('prompt is required by this model');
  expect(refused(PRO, { prompt: ' ' }, ['first_frame'])).toBe('taken');
});

it('refuses a variation of another video', () => {
  expect(refused(PRO, { remix: { taskId: 'a', upstreamId: 'b' } })).toContain('remix');
});
