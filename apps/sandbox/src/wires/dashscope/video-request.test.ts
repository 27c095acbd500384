import { describe, expect, it } from 'vitest';
import { WireError } from '../../http/wire-error.ts';
import { videoModelOf } from './video-models.ts';
import { readVideoRequest, type VideoRequest } from './video-request.ts';

const IMG = 'https://example.com/a.png';

function read(model: string, input: object, parameters?: object): VideoRequest {
  const rules = videoModelOf(model);
  if (rules === undefined) throw new Error(`there is no ${model}`);
  return readVideoRequest(rules, { model, input, ...(parameters !== undefined && { parameters }) });
}

function decision(model: string, input: object, parameters?: object): string {
  try {
    read(model, input, parameters);
    return 'fine';
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    expect([error.status, Object(error.body('')).code]).toEqual([400, 'InvalidParameter']);
    return error.message;
  }
}

const t2v = (parameters: object): string => decision('wan2.6-t2v', { prompt: 'kite' }, parameters);
const media = (...types: string[]): object => ({ prompt: 'kite', media: types.map((type) => ({ type, url: IMG })) });

describe('readVideoRequest', () => {
  it('reads a body with optional parameters', () => {
    expect(read('wan2.6-t2v', { prompt: 'kite', negative_prompt: '' })).toEqual({
      model: 'wan2.6-t2v',
      input: { prompt: 'kite', negative_prompt: '' },
      parameters: {},
    });
    expect(t2v({ size: '1280*720', duration: 15, seed: 1, prompt_extend: true, watermark: false, audio: true })).toBe(
      'fine',
    );
  });

  it.each([
    [{ size: '1280x720' }, 'parameters.size'],
    [{ size: '832*480' }, 'parameters.size'],
    [{ resolution: '720P' }, 'parameters.resolution'],
    [{ ratio: '16:9' }, 'parameters.ratio'],
    [{ duration: 1 }, 'parameters.duration'],
    [{ duration: 16 }, 'parameters.duration'],
    [{ duration: '5' }, 'parameters.duration'],
    [{ duration: 5.5 }, 'parameters.duration'],
    [{ seed: -1 }, 'parameters.seed'],
    [{ seed: 2_147_483_648 }, 'parameters.seed'],
    [{ prompt_extend: 'true' }, 'parameters.prompt_extend'],
    [{ watermark: 1 }, 'parameters.watermark'],
    [{ shot_type: 'both' }, 'parameters.shot_type'],
    [{ n: 1 }, 'parameters.n'],
    [{ fps: 24 }, 'parameters.fps'],
  ])('rejects parameters %j of wan2.6-t2v', (parameters, field) => {
    expect(t2v(parameters)).toContain(`"${field}"`);
  });

  it.each([
    ['wan2.6-t2v', {}, 'input.prompt'],
    ['wan2.6-t2v', { prompt: '' }, 'input.prompt'],
    ['wan2.6-t2v', { prompt: 7 }, 'input.prompt'],
    ['wan2.6-t2v', { prompt: 'kite', img_url: IMG }, 'input.img_url'],
    ['wan2.6-t2v', { prompt: 'kite', audio_url: 'sound' }, 'input.audio_url'],
    ['wan2.6-i2v', { prompt: 'kite' }, 'input.img_url'],
    ['wan2.6-i2v', { img_url: IMG, last_frame_url: IMG }, 'input.last_frame_url'],
    ['wan2.2-kf2v-flash', { first_frame_url: IMG }, 'input.last_frame_url'],
    ['wan2.2-kf2v-flash', { last_frame_url: IMG }, 'input.first_frame_url'],
    ['wan2.6-r2v', { prompt: 'kite', reference_urls: [] }, 'input.reference_urls'],
    ['wan2.6-r2v', { prompt: 'kite', reference_urls: Array.from({ length: 6 }, () => IMG) }, 'input.reference_urls'],
    [
      'wan2.6-r2v',
      { prompt: 'kite', reference_urls: Array.from({ length: 4 }, () => 'https://a/b.mp4') },
      'reference_urls',
    ],
    ['wan2.6-r2v', media('reference_image'), 'input'],
    ['wan2.7-i2v', { prompt: 'kite' }, 'input.media'],
    ['wan2.7-i2v', { ...media('first_frame'), img_url: IMG }, 'input.media'],
    ['wan2.7-r2v', { prompt: 'kite' }, 'input.media'],
    ['wan2.7-r2v', media('portrait'), 'input.media[0].type'],
    ['wan3.0-video', {}, 'input.prompt'],
  ])('rejects the input of %s when it is %j', (model, input, field) => {
    expect(decision(model, input)).toContain(field);
  });

  it.each([
    ['wan2.6-i2v', { img_url: IMG }, { resolution: '720P', duration: 2 }],
    ['wan2.2-kf2v-flash', { first_frame_url: IMG, last_frame_url: IMG }, { resolution: '480P' }],
    ['wan2.2-kf2v-flash', { first_frame_url: IMG, template: 'hanfu-1' }, {}],
    [
      'wan2.6-r2v',
      { prompt: 'kite', reference_urls: [IMG, 'https://a/b.mp4'] },
      { size: '960*960', shot_type: 'multi' },
    ],
    ['wan2.7-t2v', { prompt: 'kite' }, { resolution: '720P', ratio: '3:4' }],
    ['wan2.7-i2v', { img_url: IMG }, { resolution: '1080P' }],
    ['wan3.0-video', { prompt: 'kite' }, { resolution: '480P', ratio: 'adaptive', audio: false }],
  ])('accepts the inputs of %s', (model, input, parameters) => {
    expect(decision(model, input, parameters)).toBe('fine');
  });

  it.each([
    ['wan2.5-t2v-preview', { prompt: 'kite' }, { duration: 15 }],
    ['wan2.2-t2v-plus', { prompt: 'kite' }, { size: '1280*720' }],
    ['wan2.2-t2v-plus', { prompt: 'kite' }, { audio: true }],
    ['wan2.6-i2v', { img_url: IMG }, { resolution: '480P' }],
    ['wan2.6-i2v', { img_url: IMG }, { size: '1280*720' }],
    ['wan2.2-kf2v-flash', { first_frame_url: IMG, last_frame_url: IMG }, { duration: 10 }],
    ['wan2.7-t2v', { prompt: 'kite' }, { ratio: '21:9' }],
    ['wan2.7-t2v', { prompt: 'kite' }, { audio: true }],
    ['wan2.7-i2v', { img_url: IMG }, { ratio: '16:9' }],
    ['wan2.7-t2v', { prompt: 'kite' }, { ratio: 'adaptive' }],
  ])('rejects for %s the fields of other models: %j %j', (model, input, parameters) => {
    expect(decision(model, input, parameters)).toContain(`parameters.${Object.keys(parameters)[0]}`);
  });

  it.each([
    ['wan2.7-i2v', ['first_frame'], true],
    ['wan2.7-i2v', ['first_frame', 'last_frame', 'driving_audio'], true],
    ['wan2.7-i2v', ['first_clip', 'last_frame'], true],
    ['wan2.7-i2v', ['last_frame'], false],
    ['wan2.7-i2v', ['first_frame', 'first_frame'], false],
    ['wan2.7-i2v', ['first_frame', 'first_clip'], false],
    ['wan2.7-i2v', ['first_clip', 'driving_audio'], false],
    ['wan2.7-i2v', ['first_frame', 'reference_image'], false],
    ['wan2.7-r2v', ['reference_image', 'reference_video', 'first_frame'], true],
    ['wan2.7-r2v', Array.from({ length: 6 }, () => 'reference_image'), false],
    ['wan2.7-r2v', ['reference_image', 'last_frame'], false],
    ['wan3.0-video', ['first_frame', 'last_frame'], true],
    ['wan3.0-video', ['reference_image', 'reference_audio', 'link'], true],
    ['wan3.0-video', ['reference_image', 'first_frame'], false],
    ['wan3.0-video', ['first_frame', 'first_frame'], false],
  ])('of %s, media of %j may be combined: %s', (model, types, isValid) => {
    expect(decision(model, media(...types)) === 'fine').toBe(isValid);
  });

  it('limits the duration more with a reference video', () => {
    expect(decision('wan2.7-r2v', media('reference_image'), { duration: 15 })).toBe('fine');
    expect(decision('wan2.7-r2v', media('reference_video'), { duration: 11 })).toContain('parameters.duration');
  });
});
