import { describe, expect, it } from 'vitest';
import { imageUrl } from '../../../test/wire-caller.ts';
import { v1Params } from './v1-params.ts';

const url = 'https://example.com/a.png';
const prompt = 'kite';
const subject = [{ type: 'character', image: [url] }];
const HAILUO = { model: 'MiniMax-Hailuo-2.3', prompt };
const SECOND = { model: 'MiniMax-Hailuo-02', prompt };

describe('v1Params', () => {
  it('reads a request', () => {
    expect(v1Params({ ...HAILUO, duration: 10, prompt_optimizer: false, fast_pretreatment: true })).toEqual({
      kind: 'video',
      model: 'MiniMax-Hailuo-2.3',
      prompt,
      seconds: 10,
      width: 1366,
      height: 768,
      count: 1,
      path: 'v1',
      inputs: [],
    });
  });

  it.each([
    [{ ...HAILUO, resolution: '1080P' }, 6, 1920, 1080, []],
    [{ model: 'T2V-01-Director', prompt }, 6, 1280, 720, []],
    [{ ...SECOND, resolution: '512P', first_frame_image: url }, 6, 910, 512, ['first_frame_image']],
    [
      { ...SECOND, first_frame_image: imageUrl(320, 400), last_frame_image: url },
      6,
      768,
      960,
      ['first_frame_image', 'last_frame_image'],
    ],
    [{ model: 'MiniMax-Hailuo-02', last_frame_image: url }, 6, 1366, 768, ['last_frame_image']],
    [{ model: 'I2V-01-live', first_frame_image: url }, 6, 1280, 720, ['first_frame_image']],
    [{ model: 'S2V-01', prompt, subject_reference: subject }, 6, 1280, 720, ['subject_reference']],
  ])('%#: reads the duration, size, and inputs', (body, seconds, width, height, fields) => {
    const params = v1Params(body);
    expect(params).toMatchObject({ seconds, width, height });
    expect(params.inputs.map(({ field }) => field)).toEqual(fields);
  });

  it.each([
    [{ prompt }, 'model is required'],
    [{ model: 'MiniMax-H3', prompt }, 'unsupported model'],
    [{ model: 'MiniMax-Hailuo-2.3' }, 'prompt is required'],
    [{ ...HAILUO, prompt: '' }, 'prompt is required'],
    [{ ...HAILUO, prompt: 7 }, 'prompt:'],
    [{ ...HAILUO, prompt: 'x'.repeat(2001) }, 'prompt:'],
    [{ ...HAILUO, duration: 5 }, 'duration 5'],
    [{ ...HAILUO, duration: '6' }, 'duration:'],
    [{ ...HAILUO, duration: 10, resolution: '1080P' }, 'duration 10'],
    [{ ...HAILUO, resolution: '720P' }, 'resolution 720P'],
    [{ ...HAILUO, resolution: '768p' }, 'resolution:'],
    [{ ...SECOND, resolution: '512P' }, '512P'],
    [{ ...SECOND, resolution: '512P', first_frame_image: url, last_frame_image: url }, '512P'],
    [{ ...HAILUO, last_frame_image: url }, 'last_frame_image'],
    [{ ...HAILUO, subject_reference: subject }, 'subject_reference'],
    [{ model: 'MiniMax-Hailuo-2.3-Fast', prompt }, 'first_frame_image is required'],
    [{ model: 'I2V-01', prompt }, 'first_frame_image is required'],
    [{ model: 'T2V-01', prompt, first_frame_image: url }, 'first_frame_image is not supported'],
    [{ model: 'T2V-01', prompt, fast_pretreatment: true }, 'fast_pretreatment'],
    [{ model: 'S2V-01', prompt }, 'subject_reference is required'],
    [{ model: 'S2V-01', prompt, subject_reference: [{ type: 'character', image: [url, url] }] }, 'subject_reference'],
    [{ ...HAILUO, first_frame_image: 'kite.png' }, 'first_frame_image is neither'],
    [{ ...HAILUO, first_frame_image: 'data:image/png;base64,a2l0ZQ==' }, 'no image'],
    [{ ...HAILUO, first_frame_image: imageUrl(300, 400) }, 'less than 301'],
    [{ ...HAILUO, seed: 7 }, 'seed is not supported'],
    [{ ...HAILUO, ratio: '16:9' }, 'ratio is not supported'],
    [{ ...HAILUO, callback_url: 'here' }, 'callback_url'],
    ['kite', 'invalid params'],
  ])('%#: rejects with a reason', (body, problem) => {
    expect(() => v1Params(body)).toThrow(problem);
  });
});
