import { describe, expect, it } from 'vitest';
import { imageUrl } from '../../../test/wire-caller.ts';
import type { MediaParams } from '../media/media-params.ts';
import { videoModelOf } from './video-models.ts';
import { videoParams } from './video-params.ts';

function params(model: string, input: object, parameters: object = {}): MediaParams {
  const rules = videoModelOf(model);
  if (rules === undefined) throw new Error(`there is no ${model}`);
  return videoParams(rules, { model, input, parameters });
}

const url = 'https://example.com/a.png';

describe('videoParams', () => {
  it('uses the requested size or the largest wide one', () => {
    expect(params('wan2.6-t2v', { prompt: 'kite' }, { size: '832*1088' })).toMatchObject({ width: 832, height: 1088 });
    expect(params('wan2.6-t2v', { prompt: 'kite' })).toMatchObject({ width: 1920, height: 1080, seconds: 5 });
  });

  it('uses the tier with the requested ratio', () => {
    const parameters = { resolution: '720P', ratio: '1:1', duration: 7, seed: 3 };
    expect(params('wan2.7-t2v', { prompt: 'kite' }, parameters)).toEqual({
      kind: 'video',
      model: 'wan2.7-t2v',
      prompt: 'kite',
      seconds: 7,
      width: 960,
      height: 960,
      count: 1,
      seed: 3,
      requestFields: { SR: 720, ratio: '1:1' },
      inputs: [],
    });
  });

  it('keeps the ratio of the first image if it is inline', () => {
    const tall = params('wan2.6-i2v', { img_url: imageUrl(450, 800) }, { resolution: '720P' });
    expect(tall).toMatchObject({ width: 720, height: 1280, requestFields: { SR: 720 } });
    expect(params('wan2.6-i2v', { img_url: url })).toMatchObject({ width: 1920, height: 1080 });
  });

  it('records all inputs, in order', () => {
    const frames = params('wan2.2-kf2v-flash', { first_frame_url: imageUrl(240, 240), last_frame_url: url });
    expect(frames.inputs).toEqual([
      { field: 'input.first_frame_url', mediaType: 'image/png', bytes: expect.any(Number), sha256: expect.any(String) },
      { field: 'input.last_frame_url', reference: url },
    ]);
    const media = [
      { type: 'reference_video', url: 'https://example.com/a.mp4' },
      { type: 'first_frame', url: 'oss://bucket/a.png' },
    ];
    expect(params('wan2.7-r2v', { prompt: 'kite', media }).inputs).toEqual([
      { field: 'reference_video', reference: 'https://example.com/a.mp4' },
      { field: 'first_frame', reference: 'oss://bucket/a.png' },
    ]);
    expect(params('wan2.6-r2v', { prompt: 'kite', reference_urls: [url] }).inputs).toHaveLength(1);
  });

  it('accepts bare base64 as img_url only, as the SDK sends it', () => {
    const bare = imageUrl(300, 300).replace(/^.*,/, '');
    expect(params('wan2.6-i2v', { img_url: bare }).inputs).toMatchObject([{ mediaType: 'image/png' }]);
    const frames = { first_frame_url: bare, last_frame_url: bare };
    expect(() => params('wan2.2-kf2v-flash', frames)).toThrow('input.first_frame_url');
  });

  it.each([
    ['no image', 'data:image/png;base64,a2l0ZQ=='],
    ['too small', imageUrl(239, 300)],
    ['no address', 'kite.png'],
  ])('rejects an image that is %s', (_problem, img_url) => {
    expect(() => params('wan2.6-i2v', { img_url })).toThrow('input.img_url');
  });
});
