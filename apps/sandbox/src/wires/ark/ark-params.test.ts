import { describe, expect, it } from 'vitest';
import { imageUrl } from '../../../test/wire-caller.ts';
import { WireError } from '../../http/wire-error.ts';
import { arkParams } from './ark-params.ts';

const model = 'doubao-seedance-1-0-pro-250528';
const content = [{ type: 'text', text: 'kite' }];
const image = (url: string) => ({ type: 'image_url', image_url: { url } });

function body(name: string, ...items: object[]): object {
  return { model: name, content: [...content, ...items] };
}

function decision(requestBody: unknown): unknown {
  try {
    arkParams(requestBody);
    return 'fine';
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const { code, param } = Object(error.body('')).error;
    return [error.status, code, param];
  }
}

describe('arkParams', () => {
  it('reads a request, and the fields that the task returns', () => {
    const params = arkParams({ model, content, ratio: '9:16', resolution: '1080p', duration: 8, seed: 7 });
    expect(params).toMatchObject({
      kind: 'video',
      model,
      prompt: 'kite',
      seconds: 8,
      width: 1084,
      height: 1928,
      seed: 7,
    });
    expect(params.requestFields).toMatchObject({
      name: model,
      return_last_frame: false,
      returned: {
        resolution: '1080p',
        ratio: '9:16',
        duration: 8,
        service_tier: 'default',
        execution_expires_after: 172_800,
      },
    });
  });

  it('has defaults', () => {
    expect(arkParams({ model, content })).toMatchObject({
      seconds: 5,
      width: 1250,
      height: 702,
      requestFields: { returned: { resolution: '720p', ratio: '16:9', duration: 5 } },
    });
  });

  it('uses the image’s ratio, derives the duration from frames, and chooses a duration', () => {
    const tall = arkParams({ model, content: [...content, image(imageUrl(300, 400))], ratio: 'adaptive' });
    expect(tall.requestFields).toMatchObject({ returned: { ratio: '3:4' } });
    expect(tall.height).toBeGreaterThan(tall.width);
    const frames = arkParams({ model, content, frames: 49, duration: 5 });
    expect(frames.seconds).toBeCloseTo(49 / 24);
    expect(frames.requestFields?.returned).not.toHaveProperty('duration');
    expect(arkParams({ model: 'seedance-2-0', content, duration: -1 })).toMatchObject({ seconds: 5 });
  });

  it('resolves endpoints to their model', () => {
    expect(arkParams({ model: 'ep-1', content })).toMatchObject({ model, requestFields: { name: 'ep-1' } });
  });

  it.each([
    [{ content }, 'MissingParameter', 'model'],
    [{ model }, 'MissingParameter', 'content'],
    [{ model, content: [] }, 'InvalidParameter', 'content'],
    [{ model, content: 'kite' }, 'InvalidParameter', 'content'],
    [{ model, content: [{ type: 'text' }] }, 'MissingParameter', 'content[0].text'],
    [{ model, content: [{ type: 'text', text: '' }] }, 'InvalidParameter', 'content[0].text'],
    [{ model, content: [{ type: 'movie', text: 'kite' }] }, 'InvalidParameter', 'content[0].type'],
    [{ model, content, prompt: 'kite' }, 'InvalidParameter', 'prompt'],
    [{ model, content, duration: 1 }, 'InvalidParameter', 'duration'],
    [{ model, content, duration: 13 }, 'InvalidParameter', 'duration'],
    [{ model, content, duration: '5' }, 'InvalidParameter', 'duration'],
    [{ model, content, duration: -1 }, 'InvalidParameter', 'duration'],
    [{ model, content, ratio: '9:21' }, 'InvalidParameter', 'ratio'],
    [{ model, content, ratio: 'adaptive' }, 'InvalidParameter', 'ratio'],
    [{ model, content, resolution: '720P' }, 'InvalidParameter', 'resolution'],
    [{ model, content, resolution: '4k' }, 'InvalidParameter', 'resolution'],
    [{ model, content, frames: 30 }, 'InvalidParameter', 'frames'],
    [{ model, content, seed: -2 }, 'InvalidParameter', 'seed'],
    [{ model, content, generate_audio: true }, 'InvalidParameter', 'generate_audio'],
    [{ model: 'seedance-2-0', content, seed: 1 }, 'InvalidParameter', 'seed'],
    [{ model: 'seedance-2-0', content, duration: 3 }, 'InvalidParameter', 'duration'],
    [{ model: 'seedance-2-0-fast', content, resolution: '1080p' }, 'InvalidParameter', 'resolution'],
    [{ model, content, execution_expires_after: 60 }, 'InvalidParameter', 'execution_expires_after'],
    [{ model, content, callback_url: 'here' }, 'InvalidParameter', 'callback_url'],
    [{ model, content: [...content, image('kite')] }, 'InvalidParameter', 'content'],
  ])('rejects %j', (requestBody, code, param) => {
    expect(decision(requestBody)).toEqual([400, code, param]);
  });

  it('applies the model’s image rules', () => {
    const reference = { ...image('https://example.com/a.png'), role: 'reference_image' };
    expect(decision(body('seedance-1-0-lite-i2v'))).toEqual([400, 'InvalidParameter', 'content']);
    expect(decision(body('seedance-1-0-lite-i2v', reference))).toBe('fine');
    expect(decision(body('seedance-1-0-pro', reference))).toEqual([400, 'InvalidParameter', 'content']);
    expect(decision(body('seedance-1-0-lite-t2v', image('asset://1')))).toEqual([400, 'InvalidParameter', 'content']);
    expect(decision(body(model, image(imageUrl(299, 300))))).toEqual([400, 'InvalidParameter', 'content']);
  });

  it('rejects other models', () => {
    expect(decision({ model: 'sora-2', content })).toEqual([404, 'InvalidEndpointOrModel.NotFound', '']);
  });
});
