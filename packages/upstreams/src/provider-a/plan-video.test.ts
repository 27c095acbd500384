import { type ImageRole, type MediaLoss, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { planVideo } from './plan-video.ts';

const roles = (...list: ImageRole[]): Pick<VideoRequest, 'images'> => ({
  images: list.map((role) => ({ role, source: { kind: 'url', url: 'https://client.example/a.png' } })),
});
const V1 = 'kling-v1-6';

function plan(model: string, params: Partial<VideoRequest>) {
  const losses: string[] = [];
  const report = ({ field, how }: MediaLoss) => void losses.push(`${field} ${how}`);
  return { ...planVideo(model, { kind: 'video', prompt: 'a kite', images: [], ...params }, report), losses };
}

describe('selects the path by the images', () => {
  it.each([
    [V1, roles(), 'text2video'],
    [V1, roles('first_frame'), 'image2video'],
    [V1, roles('last_frame'), 'image2video'],
    [V1, roles('first_frame', 'last_frame'), 'image2video'],
    [V1, roles('reference'), 'multi-image2video'],
    [V1, roles('reference', 'reference', 'reference', 'reference'), 'multi-image2video'],
    ['kling-video-o1', roles(), 'omni-video'],
    ['kling-v3.0-omni', roles('first_frame', 'reference'), 'omni-video'],
  ])('%s %o: %s', (model, params, path) => {
    expect(plan(model, params).path).toBe(`/v1/videos/${path}`);
  });
});

describe('refused requests', () => {
  it.each([
    [V1, { prompt: '' }, 'prompt'],
    [V1, { prompt: 'x'.repeat(2501) }, 'prompt'],
    [V1, { negativePrompt: 'x'.repeat(2501) }, 'negativePrompt'],
    [V1, { prompt: undefined, ...roles('reference') }, 'prompt'],
    ['kling-video-o1', { prompt: undefined, ...roles('first_frame') }, 'prompt'],
    [V1, roles('first_frame', 'first_frame'), 'firstFrame'],
    [V1, roles('first_frame', 'reference'), 'reference'],
    [V1, roles('reference', 'reference', 'reference', 'reference', 'reference'), 'reference'],
    ['kling-video-o1', roles('first_frame', ...Array.from({ length: 7 }, () => 'reference' as const)), 'reference'],
    [V1, roles('mask'), 'mask'],
    [V1, { remix: { taskId: 'a', upstreamId: 'b' } }, 'remix'],
  ])('%s %o', (model, params, field) => {
    // The cast is safe because requests never contain `undefined`, which the compiler accepts here.
    expect(() => plan(model, params as Partial<VideoRequest>)).toThrow(
      expect.objectContaining({ field, name: UnsupportedParamsError.name }),
    );
  });
});

describe('requires no prompt', () => {
  it('with an image', () => {
    const request = { kind: 'video' as const, ...roles('first_frame') };
    expect(planVideo(V1, request, () => undefined).fields).toEqual({});
  });

  it('when each shot has its own', () => {
    const request = { kind: 'video' as const, images: [], metadata: { multi_shot: true, multi_prompt: [] } };
    expect(planVideo('kling-v3', request, () => undefined).fields).toEqual({});
  });
});

describe('sends the duration as text', () => {
  it.each([
    [V1, undefined, '5', undefined, []],
    [V1, '5', '5', '5', []],
    [V1, '10', '10', '10', []],
    [V1, '7', '5', '5', ['seconds clamped']],
    [V1, '7.5', '10', '10', ['seconds clamped']],
    [V1, '60', '10', '10', ['seconds clamped']],
    ['kling-v3', '7', '7', '7', []],
    ['kling-v3', '2', '3', '3', ['seconds clamped']],
    ['kling-video-o1', undefined, undefined, undefined, []],
    ['kling-video-o1', '12', '10', '10', ['seconds clamped']],
    ['somebody-else', '42', '42', '42', []],
    ['somebody-else', undefined, undefined, undefined, []],
  ])('%s, %s seconds: %s', (model, seconds, expected, duration, losses) => {
    const planned = plan(model, seconds === undefined ? {} : { seconds });
    expect(planned.seconds).toBe(expected);
    expect(planned.fields['duration']).toBe(duration);
    expect(planned.losses).toEqual(losses);
  });
});

describe('frame', () => {
  it.each([
    [V1, {}, {}, []],
    [V1, { aspectRatio: '9:16' }, { aspect_ratio: '9:16' }, []],
    [V1, { aspectRatio: '21:9' }, { aspect_ratio: '16:9' }, ['aspectRatio clamped']],
    [V1, { size: '1280x720' }, { aspect_ratio: '16:9', mode: 'std' }, ['size replaced']],
    [V1, { size: '1080x1920' }, { aspect_ratio: '9:16', mode: 'pro' }, ['size replaced']],
    [V1, { resolution: '1080p' }, { mode: 'pro' }, ['resolution replaced']],
    [V1, { resolution: '720p' }, { mode: 'std' }, ['resolution replaced']],
    [V1, { resolution: '480p' }, { mode: 'std' }, ['resolution clamped']],
    [V1, { resolution: '4k' }, { mode: 'pro' }, ['resolution clamped']],
    [V1, { resolution: '1080p', metadata: { mode: 'std' } }, {}, ['resolution dropped']],
    ['kling-v2-1-master', { resolution: '1080p' }, {}, ['resolution dropped']],
    ['kling-v2-1-master', { size: '1920x1080' }, { aspect_ratio: '16:9' }, ['size replaced']],
    ['somebody-else', { resolution: '1080p' }, {}, ['resolution dropped']],
    // The image already determines the aspect ratio.
    [V1, { ...roles('first_frame'), aspectRatio: '1:1' }, {}, ['aspectRatio dropped']],
    [V1, { ...roles('first_frame'), size: '1280x720' }, { mode: 'std' }, ['size replaced']],
    ['kling-v2-master', { ...roles('first_frame'), size: '1280x720' }, {}, ['size dropped']],
    [V1, { ...roles('reference'), aspectRatio: '1:1' }, { aspect_ratio: '1:1' }, []],
    // A last frame or sound requires the mode `pro`.
    [V1, roles('first_frame', 'last_frame'), { mode: 'pro' }, []],
    [V1, { ...roles('last_frame'), resolution: '720p' }, { mode: 'pro' }, ['resolution clamped']],
    [V1, { ...roles('last_frame'), metadata: { mode: 'std' } }, {}, []],
    ['kling-v1', roles('first_frame', 'last_frame'), {}, []],
    ['kling-v2.6', { audio: true }, { mode: 'pro' }, []],
    ['kling-v2.6', { audio: false }, {}, []],
    // An omni model requires an aspect ratio if no image determines it.
    ['kling-video-o1', {}, { aspect_ratio: '16:9' }, []],
    ['kling-video-o1', roles('reference'), { aspect_ratio: '16:9' }, []],
    ['kling-video-o1', roles('first_frame'), {}, []],
    ['kling-video-o1', { metadata: { video_list: [] } }, {}, []],
  ])('%s %o: %o', (model, params, expected, losses) => {
    const planned = plan(model, params);
    const { aspect_ratio, mode } = planned.fields;
    expect({ ...(aspect_ratio !== undefined && { aspect_ratio }), ...(mode !== undefined && { mode }) }).toEqual(
      expected,
    );
    expect(planned.losses).toEqual(losses);
  });
});

describe('other fields', () => {
  it.each([
    ['kling-v2-6', { audio: true }, { sound: 'on' }, []],
    ['kling-v3', { audio: false }, { sound: 'off' }, []],
    ['somebody-else', { audio: true }, { sound: 'on' }, []],
    ['kling-v2-5-turbo', { audio: true }, {}, ['audio dropped']],
    ['kling-video-o1', { audio: true }, {}, ['audio dropped']],
    [V1, { watermark: true }, { watermark_info: { enabled: true } }, []],
    [V1, { watermark: false }, { watermark_info: { enabled: false } }, []],
    [V1, { negativePrompt: 'rain' }, { negative_prompt: 'rain' }, []],
    ['kling-video-o1', { negativePrompt: 'rain' }, {}, ['negativePrompt dropped']],
    [V1, { seed: 0, fps: 24, promptExtend: false }, {}, ['seed dropped', 'fps dropped', 'promptExtend dropped']],
  ])('%s %o: %o', (model, params, expected, losses) => {
    const planned = plan(model, params);
    expect(planned.fields).toMatchObject(expected);
    expect(planned.losses).toEqual(losses);
    const sent = ['sound', 'watermark_info', 'negative_prompt'].filter((field) => field in planned.fields);
    expect(sent).toEqual(Object.keys(expected));
  });
});
