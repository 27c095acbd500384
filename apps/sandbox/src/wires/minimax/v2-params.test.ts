import { describe, expect, it } from 'vitest';
import { imageUrl } from '../../../test/wire-caller.ts';
import { v2Params } from './v2-params.ts';

const text = { type: 'text', text: 'kite' };
const url = 'https://example.com/a.png';
const image = (role?: string, address = url) => ({
  type: 'image_url',
  image_url: { url: address },
  ...(role !== undefined && { role }),
});
const video = { type: 'video_url', video_url: { url }, role: 'reference_video' };
const BODY = { model: 'MiniMax-H3', content: [text], resolution: '768P', duration: 5, ratio: '16:9' };

describe('v2Params', () => {
  it('reads a request, and the fields that the task returns', () => {
    expect(v2Params(BODY)).toEqual({
      kind: 'video',
      model: 'MiniMax-H3',
      prompt: 'kite',
      seconds: 5,
      width: 1366,
      height: 768,
      count: 1,
      path: 'v2',
      requestFields: { resolution: '768P', duration: 5, ratio: '16:9' },
      inputs: [],
    });
  });

  it('has a default resolution for each model', () => {
    const baseBody = { content: [text], ratio: '1:1' };
    expect(v2Params({ ...baseBody, model: 'MiniMax-H3' })).toMatchObject({ width: 1920, height: 1920, seconds: 5 });
    expect(v2Params({ ...baseBody, model: 'MiniMax-H3-Max' })).toMatchObject({ width: 1024, height: 1024 });
  });

  it('keeps the ratio of frames, and of references unless a ratio is requested', () => {
    const framed = v2Params({
      ...BODY,
      content: [text, image('first_frame', imageUrl(300, 400)), image('last_frame')],
    });
    expect(framed.height).toBeGreaterThan(framed.width);
    expect(framed.requestFields).toMatchObject({ ratio: 'adaptive' });
    const content = [text, image('reference_image', imageUrl(300, 400))];
    expect(v2Params({ ...BODY, content })).toMatchObject({ width: 1366, height: 768 });
    const free = v2Params({ model: 'MiniMax-H3', content });
    expect(free.height).toBeGreaterThan(free.width);
  });

  it('accepts an image without a role, a file reference, videos, and audio', () => {
    const content = [text, image('reference_image', 'mm_file://1'), video];
    expect(v2Params({ ...BODY, content }).inputs).toEqual([
      { field: 'reference_image', reference: 'mm_file://1' },
      { field: 'reference_video', reference: url },
    ]);
    expect(v2Params({ ...BODY, content: [text, image()] }).inputs).toMatchObject([{ field: 'first_frame' }]);
  });

  it.each([
    [{ ...BODY, model: undefined }, 'model is required'],
    [{ ...BODY, model: 'MiniMax-Hailuo-2.3' }, 'unsupported model'],
    [{ ...BODY, content: undefined }, 'content is required'],
    [{ ...BODY, content: [] }, 'content:'],
    [{ ...BODY, content: [image()] }, 'a text is required'],
    [{ ...BODY, content: [{ type: 'text', text: 'x'.repeat(7001) }] }, '7000'],
    [{ ...BODY, content: [text, text] }, 'only one text'],
    [{ ...BODY, content: [text, image('first_frame'), video] }, 'mixed'],
    [{ ...BODY, model: 'MiniMax-H3-Max', content: [text, image('reference_image')] }, 'so many'],
    [{ ...BODY, content: [text, ...Array.from({ length: 10 }, () => image('reference_image'))] }, 'so many'],
    [{ ...BODY, resolution: '480P' }, 'resolution 480P'],
    [{ ...BODY, resolution: '1080P' }, 'resolution:'],
    [{ ...BODY, model: 'MiniMax-H3-Max', resolution: '2K' }, 'resolution 2K'],
    [{ ...BODY, duration: 3 }, 'from 4 to 15'],
    [{ ...BODY, duration: 16 }, 'from 4 to 15'],
    [{ ...BODY, model: 'MiniMax-H3-Max', duration: 4 }, 'from 5 to 15'],
    [{ ...BODY, duration: 5.5 }, 'duration:'],
    [{ ...BODY, ratio: undefined }, 'ratio is required'],
    [{ ...BODY, ratio: 'adaptive' }, 'ratio is required'],
    [{ ...BODY, ratio: '2:1' }, 'ratio:'],
    [{ ...BODY, seed: 7 }, 'seed is not supported'],
    [{ ...BODY, prompt: 'kite' }, 'prompt is not supported'],
    [{ ...BODY, content: [text, image(undefined, imageUrl(299, 300))] }, 'less than 300'],
  ])('%#: rejects with a reason', (body, problem) => {
    expect(() => v2Params(JSON.parse(JSON.stringify(body)))).toThrow(problem);
  });
});
