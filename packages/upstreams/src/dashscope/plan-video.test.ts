import { type ImageRole, type MediaLoss, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { planVideo } from './plan-video.ts';

const roles = (...list: ImageRole[]): Pick<VideoRequest, 'images'> => ({
  images: list.map((role) => ({ role, source: { kind: 'url', url: 'https://client.example/a.png' } })),
});
const T2V = 'wan2.6-t2v';
const I2V = 'wan2.6-i2v';
const R2V = 'wan2.6-r2v';
const KF2V = 'wan2.2-kf2v-flash';
const OLD = 'wan2.2-t2v-plus';
const WAN27 = 'wan2.7-t2v';
const WAN3 = 'wan3.0-video';

function plan(model: string, params: Partial<VideoRequest>) {
  const losses: string[] = [];
  const report = ({ field, how }: MediaLoss) => void losses.push(`${field} ${how}`);
  return { ...planVideo(model, { kind: 'video', prompt: 'a kite', images: [], ...params }, report), losses };
}

describe('refused requests', () => {
  it.each([
    [T2V, { prompt: '' }, 'prompt'],
    [T2V, { prompt: 'x'.repeat(1501) }, 'prompt'],
    [OLD, { prompt: 'x'.repeat(801) }, 'prompt'],
    [T2V, { negativePrompt: 'x'.repeat(501) }, 'negativePrompt'],
    [T2V, roles('first_frame'), 'firstFrame'],
    [I2V, {}, 'firstFrame'],
    [I2V, roles('last_frame'), 'lastFrame'],
    [I2V, roles('first_frame', 'reference'), 'reference'],
    [KF2V, {}, 'firstFrame'],
    [KF2V, roles('last_frame'), 'firstFrame'],
    [R2V, {}, 'reference'],
    [R2V, { prompt: '', ...roles('reference') }, 'prompt'],
    [R2V, roles('first_frame', 'reference'), 'firstFrame'],
    [R2V, roles(...Array.from({ length: 6 }, () => 'reference' as const)), 'reference'],
    ['wan2.7-i2v', roles('last_frame'), 'firstFrame'],
    [WAN3, roles('first_frame', 'reference'), 'reference'],
    [WAN3, { prompt: '' }, 'prompt'],
    [WAN3, roles('mask'), 'mask'],
    [T2V, { remix: { taskId: 'a', upstreamId: 'b' } }, 'remix'],
  ] satisfies [string, Partial<VideoRequest>, string][])('%s %o', (model, params, field) => {
    expect(() => plan(model, params)).toThrow(expect.objectContaining({ field, name: UnsupportedParamsError.name }));
  });
});

describe('images', () => {
  it.each([
    [I2V, roles('first_frame'), ['first_frame'], []],
    [KF2V, roles('last_frame', 'first_frame'), ['last_frame', 'first_frame'], []],
    [R2V, roles('reference', 'reference'), ['reference', 'reference'], []],
    // The client did not declare the role of its only image.
    [R2V, roles('first_frame'), ['reference'], ['firstFrame replaced']],
    ['wan2.7-r2v', roles('first_frame'), ['reference'], ['firstFrame replaced']],
    ['wan2.7-r2v', roles('first_frame', 'reference'), ['first_frame', 'reference'], []],
    [WAN3, roles('first_frame', 'last_frame'), ['first_frame', 'last_frame'], []],
    ['somebody-else', roles('reference'), ['reference'], []],
  ] satisfies [string, Partial<VideoRequest>, string[], string[]][])('%s %o', (model, params, expected, losses) => {
    const planned = plan(model, params);
    expect([planned.roles, planned.losses]).toEqual([expected, losses]);
  });

  it('require no prompt', () => {
    const request = { kind: 'video' as const, ...roles('first_frame') };
    expect(planVideo(I2V, request, () => undefined).input).toEqual({});
  });
});

describe('sends the duration as a number', () => {
  it.each([
    [T2V, undefined, '5', undefined, []],
    [T2V, '12', '12', 12, []],
    [T2V, '1', '2', 2, ['seconds clamped']],
    ['wan2.5-t2v-preview', '7', '5', 5, ['seconds clamped']],
    ['wan2.5-t2v-preview', '8', '10', 10, ['seconds clamped']],
    [OLD, '10', '5', 5, ['seconds clamped']],
    [WAN3, '30', '30', 30, []],
    ['somebody-else', '42', '42', 42, []],
    ['somebody-else', '4.4', '4', 4, ['seconds clamped']],
    ['somebody-else', undefined, undefined, undefined, []],
  ])('%s, %s seconds: %s', (model, seconds, expected, duration, losses) => {
    const planned = plan(model, seconds === undefined ? {} : { seconds });
    expect([planned.seconds, planned.parameters['duration'], planned.losses]).toEqual([expected, duration, losses]);
  });
});

describe('frame', () => {
  it.each([
    // This model's frame is set by a size.
    [T2V, {}, {}, []],
    [T2V, { size: '1280x720' }, { size: '1280*720' }, []],
    [T2V, { size: '1248x1632' }, { size: '1248*1632' }, []],
    [T2V, { size: '832x480' }, { size: '1280*720' }, ['size clamped']],
    [T2V, { size: '480x832' }, { size: '720*1280' }, ['size clamped']],
    [T2V, { size: '1792x1024' }, { size: '1920*1080' }, ['size clamped']],
    [T2V, { aspectRatio: '9:16' }, { size: '720*1280' }, []],
    [T2V, { aspectRatio: '21:9' }, { size: '1280*720' }, ['aspectRatio clamped']],
    [T2V, { resolution: '1080p' }, { size: '1920*1080' }, []],
    [T2V, { resolution: '1080p', aspectRatio: '1:1' }, { size: '1440*1440' }, []],
    [T2V, { resolution: '480p' }, { size: '1280*720' }, ['resolution clamped']],
    [OLD, { aspectRatio: '16:9' }, { size: '832*480' }, []],
    [OLD, { aspectRatio: '4:3' }, { size: '832*480' }, ['aspectRatio clamped']],
    // This model's frame is set by a tier, and the image determines the aspect ratio.
    [I2V, roles('first_frame'), {}, []],
    [I2V, { ...roles('first_frame'), resolution: '1080p' }, { resolution: '1080P' }, []],
    [I2V, { ...roles('first_frame'), resolution: '480p' }, { resolution: '720P' }, ['resolution clamped']],
    [I2V, { ...roles('first_frame'), size: '1920x1080' }, { resolution: '1080P' }, ['size replaced']],
    [I2V, { ...roles('first_frame'), aspectRatio: '1:1' }, {}, ['aspectRatio dropped']],
    [KF2V, { ...roles('first_frame'), resolution: '480p' }, { resolution: '480P' }, []],
    ['wan2.7-i2v', { ...roles('first_frame'), size: '720x1280' }, { resolution: '720P' }, ['size replaced']],
    // This model's frame is set by a tier and a ratio.
    [WAN27, { size: '1080x1920' }, { resolution: '1080P', ratio: '9:16' }, ['size replaced']],
    [WAN27, { aspectRatio: '4:3' }, { ratio: '4:3' }, []],
    [WAN27, { aspectRatio: '2:1', resolution: '720p' }, { resolution: '720P', ratio: '16:9' }, ['aspectRatio clamped']],
    [WAN27, { resolution: 'huge' }, {}, ['resolution dropped']],
    [WAN3, { ...roles('first_frame'), aspectRatio: '1:1' }, { ratio: '1:1' }, []],
    ['somebody-else', { size: '832x480' }, { resolution: '480P', ratio: '16:9' }, ['size replaced']],
  ] satisfies [string, Partial<VideoRequest>, object, string[]][])('%s %o: %o', (model, params, expected, losses) => {
    const planned = plan(model, params);
    expect([planned.parameters, planned.losses]).toEqual([expected, losses]);
  });
});

describe('other fields', () => {
  it.each([
    [T2V, { negativePrompt: 'rain' }, { prompt: 'a kite', negative_prompt: 'rain' }, {}, []],
    [
      T2V,
      { seed: 0, watermark: false, promptExtend: false },
      undefined,
      { seed: 0, watermark: false, prompt_extend: false },
      [],
    ],
    [R2V, { ...roles('reference'), promptExtend: true }, undefined, {}, ['promptExtend dropped']],
    [T2V, { fps: 24 }, undefined, {}, ['fps dropped']],
    [I2V, { ...roles('first_frame'), audio: false }, undefined, { audio: false }, []],
    [WAN3, { audio: true }, undefined, { audio: true }, []],
    ['somebody-else', { audio: true }, undefined, { audio: true }, []],
    [T2V, { audio: true }, undefined, {}, []],
    [WAN27, { audio: false }, undefined, {}, ['audio dropped']],
    [OLD, { audio: true }, undefined, {}, ['audio dropped']],
    [OLD, { audio: false }, undefined, {}, []],
  ] satisfies [string, Partial<VideoRequest>, object | undefined, object, string[]][])(
    '%s %o',
    (model, params, input, parameters, losses) => {
      const planned = plan(model, params);
      expect(planned.input).toEqual(input ?? { prompt: 'a kite' });
      expect([planned.parameters, planned.losses]).toEqual([parameters, losses]);
    },
  );
});
