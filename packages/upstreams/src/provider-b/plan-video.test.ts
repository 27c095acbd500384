import { type ImageRole, type MediaLoss, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { planVideo } from './plan-video.ts';

const roles = (...list: ImageRole[]): Pick<VideoRequest, 'images'> => ({
  images: list.map((role) => ({ role, source: { kind: 'url', url: 'https://client.example/a.png' } })),
});
const TEXT = 'jimeng_t2v_v30';
const FIRST = 'jimeng_i2v_first_v30_1080';
const TAIL = 'jimeng_i2v_first_tail_v30';
const PRO = 'jimeng_ti2v_v30_pro';

function plan(model: string, params: Partial<VideoRequest>) {
  const losses: string[] = [];
  const report = ({ field, how }: MediaLoss) => void losses.push(`${field} ${how}`);
  return { ...planVideo(model, { kind: 'video', prompt: 'a kite', images: [], ...params }, report), losses };
}

describe('refused requests', () => {
  it.each([
    [TEXT, { prompt: '' }, 'prompt'],
    [TEXT, { prompt: 'x'.repeat(801) }, 'prompt'],
    [TEXT, roles('first_frame'), 'firstFrame'],
    ['jimeng_vgfm_t2v_l20', roles('first_frame'), 'firstFrame'],
    [FIRST, {}, 'firstFrame'],
    [FIRST, roles('first_frame', 'last_frame'), 'lastFrame'],
    [FIRST, roles('reference'), 'reference'],
    ['jimeng_i2v_recamera_v30', {}, 'firstFrame'],
    ['jimeng_vgfm_i2v_l20', {}, 'firstFrame'],
    [TAIL, roles('first_frame'), 'lastFrame'],
    [TAIL, roles('last_frame'), 'firstFrame'],
    [PRO, roles('first_frame', 'last_frame'), 'lastFrame'],
    ['somebody_else', roles('mask'), 'mask'],
    [TEXT, { remix: { taskId: 'a', upstreamId: 'b' } }, 'remix'],
  ] satisfies [string, Partial<VideoRequest>, string][])('%s %o', (model, params, field) => {
    expect(() => plan(model, params)).toThrow(expect.objectContaining({ field, name: UnsupportedParamsError.name }));
  });
});

describe('accepted requests', () => {
  it.each([
    [FIRST, roles('first_frame')],
    ['jimeng_i2v_recamera_v30', roles('first_frame')],
    [TAIL, roles('last_frame', 'first_frame')],
    [PRO, roles()],
    [PRO, roles('first_frame')],
    ['jimeng_vgfm_i2v_l20', roles('first_frame')],
    ['somebody_else', roles('first_frame', 'last_frame', 'reference')],
  ])('%s %o', (model, params) => {
    expect(plan(model, params).losses).toEqual([]);
  });

  it('an image without a prompt', () => {
    const request = { kind: 'video' as const, ...roles('first_frame') };
    expect(planVideo(FIRST, request, () => undefined).fields).toEqual({});
  });
});

describe('sends the duration in frames', () => {
  it.each([
    [TEXT, undefined, '5', undefined, []],
    [TEXT, '5', '5', 121, []],
    [TEXT, '10', '10', 241, []],
    [TEXT, '8', '10', 241, ['seconds clamped']],
    [TEXT, '4', '5', 121, ['seconds clamped']],
    ['jimeng_vgfm_t2v_l20', '10', '5', undefined, ['seconds clamped']],
    ['somebody_else', '8', '8', 193, []],
    ['somebody_else', undefined, undefined, undefined, []],
  ])('%s, %s seconds', (model, seconds, expected, frames, losses) => {
    const planned = plan(model, seconds === undefined ? {} : { seconds });
    expect([planned.seconds, planned.fields['frames'], planned.losses]).toEqual([expected, frames, losses]);
  });
});

describe('other fields', () => {
  it.each([
    [TEXT, { aspectRatio: '21:9' }, { aspect_ratio: '21:9' }, []],
    [TEXT, { aspectRatio: '2:3' }, { aspect_ratio: '3:4' }, ['aspectRatio clamped']],
    [TEXT, { size: '1080x1920' }, { aspect_ratio: '9:16' }, ['size replaced']],
    [FIRST, { ...roles('first_frame'), size: '1080x1920' }, {}, ['size dropped']],
    [FIRST, { ...roles('first_frame'), aspectRatio: '9:16' }, {}, ['aspectRatio dropped']],
    [TEXT, { seed: 0 }, { seed: 0 }, []],
    [
      TEXT,
      { negativePrompt: 'x', fps: 24, audio: true, watermark: true, promptExtend: true, resolution: '720p' },
      {},
      ['negativePrompt', 'fps', 'audio', 'watermark', 'promptExtend', 'resolution'].map((field) => `${field} dropped`),
    ],
  ] satisfies [string, Partial<VideoRequest>, object, string[]][])('%s %o: %o', (model, params, expected, losses) => {
    const planned = plan(model, params);
    expect(planned.fields).toEqual({ prompt: 'a kite', ...expected });
    expect(planned.losses).toEqual(losses);
  });
});
