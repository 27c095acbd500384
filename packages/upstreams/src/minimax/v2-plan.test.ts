import type { ImageRole, VideoRequest } from '@sluice/canonical';
import { isMinimaxV2 } from '@sluice/vendors';
import { describe, expect, it } from 'vitest';
import { planRig } from '../../test/plan-rig.ts';
import { planV2 } from './v2-plan.ts';

const { planned, refused: refusedBy } = planRig(planV2);
const refused = (params: Partial<VideoRequest>, roles: ImageRole[] = []) => refusedBy('MiniMax-H3', params, roles);

const DEFAULTS = { duration: 5, resolution: '768P', ratio: '16:9' };

it.each([
  ['MiniMax-H3', {}, DEFAULTS, []],
  ['MiniMax-H3', { seconds: '4' }, { ...DEFAULTS, duration: 4 }, []],
  ['MiniMax-H3', { seconds: '20' }, { ...DEFAULTS, duration: 15 }, ['seconds clamped']],
  ['MiniMax-H3-Max', { seconds: '4' }, { ...DEFAULTS, duration: 5 }, ['seconds clamped']],
  ['MiniMax-H3', { resolution: '2K' }, { ...DEFAULTS, resolution: '2K' }, []],
  ['MiniMax-H3', { resolution: '480p' }, { ...DEFAULTS, resolution: '768P' }, ['resolution clamped']],
  ['MiniMax-H3-Max', { resolution: '480p' }, { ...DEFAULTS, resolution: '480P' }, []],
  ['MiniMax-H3-Max', { resolution: '4k' }, { ...DEFAULTS, resolution: '768P' }, ['resolution clamped']],
  ['MiniMax-H4', { resolution: '4k', seconds: '30' }, { ...DEFAULTS, resolution: '4K', duration: 30 }, []],
  ['MiniMax-H3', { aspectRatio: '21:9' }, { ...DEFAULTS, ratio: '21:9' }, []],
  ['MiniMax-H3', { size: '1440x2560' }, { ...DEFAULTS, resolution: '2K', ratio: '9:16' }, ['size replaced']],
] satisfies [string, Partial<VideoRequest>, object, string[]][])('%s: %o', (model, request, options, losses) => {
  const plan = planned(model, request);
  expect([plan.options, plan.losses]).toEqual([options, losses]);
  expect(plan.seconds).toBe(String(plan.options.duration));
});

it('sends an aspect ratio with references if requested, and never with frames', () => {
  expect(planned('MiniMax-H3', {}, ['reference']).options).toEqual({ duration: 5, resolution: '768P' });
  expect(planned('MiniMax-H3', { aspectRatio: '1:1' }, ['reference']).options.ratio).toBe('1:1');
  const framed = planned('MiniMax-H3', { aspectRatio: '1:1' }, ['first_frame', 'last_frame']);
  expect([framed.options.ratio, framed.losses]).toEqual([undefined, ['aspectRatio dropped']]);
  expect(planned('MiniMax-H3', { size: '768x768' }, ['last_frame']).losses).toEqual(['size replaced']);
});

it('reports fields without a counterpart as dropped', () => {
  const request = { negativePrompt: 'rain', fps: 30, seed: 7, promptExtend: true, audio: false };
  expect(planned('MiniMax-H3', request).losses).toEqual([
    'negativePrompt dropped',
    'fps dropped',
    'seed dropped',
    'promptExtend dropped',
    'audio dropped',
  ]);
  expect(planned('MiniMax-H3', { audio: true, watermark: true })).toMatchObject({
    options: { aigc_watermark: true },
    losses: [],
  });
});

describe('refused requests', () => {
  it.each([
    [{ prompt: undefined }, ['first_frame'], 'prompt is required by this model'],
    [{ prompt: 'x'.repeat(7001) }, [], 'prompt must be at most 7000 characters for this model'],
    [{}, ['first_frame', 'reference'], 'reference cannot be combined with a first or last frame for this model'],
    [{}, Array.from({ length: 10 }, () => 'reference'), 'reference must appear at most 9 times for this model'],
    [{}, ['mask'], 'mask is not supported by this model'],
    [{}, ['last_frame'], 'taken'],
  ] as [Partial<VideoRequest>, ImageRole[], string][])('%o with %o', (request, roles, message) => {
    expect(refused(request, roles)).toBe(message);
  });
});

it.each([
  ['MiniMax-H3', true],
  ['MiniMax-H3-Max', true],
  ['MiniMax-Hailuo-2.3', false],
  ['S2V-01', false],
])('%s is served by v2: %s', (model, expected) => {
  expect(isMinimaxV2(model)).toBe(expected);
});
