import { describe, expect, it } from 'vitest';
import { imageUrl } from '../../../test/wire-caller.ts';
import { WireError } from '../../http/wire-error.ts';
import type { ViduCall } from './vidu-models.ts';
import { viduParams } from './vidu-params.ts';

const url = 'https://example.com/a.png';
const prompt = 'kite';
const times = (count: number) => Array.from({ length: count }, () => url);

function decision(call: ViduCall, body: unknown): string {
  try {
    viduParams(call, body);
    return 'fine';
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const { reason, message } = Object(error.body(''));
    expect(error.status).toBe(400);
    return `${String(reason)} ${String(message).replace(/^.*: /, '')}`;
  }
}

describe('viduParams', () => {
  it('reads a request, and the fields that the task returns', () => {
    const body = { model: 'viduq3-pro', prompt, duration: 8, resolution: '1080p', aspect_ratio: '9:16', seed: 7 };
    expect(viduParams('text2video', { ...body, payload: 'mine', off_peak: true, bgm: true, watermark: true })).toEqual({
      kind: 'video',
      model: 'viduq3-pro',
      prompt,
      seconds: 8,
      width: 1080,
      height: 1920,
      count: 1,
      seed: 7,
      reference: 'mine',
      requestFields: {
        images: [],
        duration: 8,
        resolution: '1080p',
        aspect_ratio: '9:16',
        movement_amplitude: 'auto',
        bgm: true,
        off_peak: true,
        watermark: true,
      },
      inputs: [],
    });
  });

  it.each([
    ['viduq2', 5, 1280, 720],
    ['viduq1', 5, 1920, 1080],
    ['vidu1.5', 4, 640, 360],
  ])('has defaults for %s', (model, seconds, width, height) => {
    expect(viduParams('text2video', { model, prompt })).toMatchObject({ seconds, width, height, reference: '' });
  });

  it('keeps the ratio of a frame, but not of references', () => {
    const images = [imageUrl(300, 400)];
    const framed = viduParams('img2video', { model: 'viduq2-pro', images, resolution: '540p' });
    expect(framed).toMatchObject({
      prompt: '',
      width: 540,
      height: 720,
      requestFields: { images: [''], aspect_ratio: '' },
    });
    const referred = viduParams('reference2video', { model: 'viduq2', prompt, images, aspect_ratio: '1:1' });
    expect(referred).toMatchObject({ width: 720, height: 720, requestFields: { aspect_ratio: '1:1' } });
    expect(viduParams('img2video', { model: 'viduq1', images: [url] }).requestFields).toMatchObject({ images: [url] });
  });

  it.each<[ViduCall, object]>([
    ['start-end2video', { model: 'viduq2-turbo', images: times(2), is_rec: true }],
    ['start-end2video', { model: 'viduq1', images: [imageUrl(100, 100), imageUrl(120, 100)] }],
    ['reference2video', { model: 'viduq1', prompt, images: times(7) }],
    ['reference2video', { model: 'viduq2', prompt, subjects: [{ id: '1', images: times(3), voice_id: 'v' }] }],
    ['text2video', { model: 'viduq2', prompt, aspect_ratio: '3:4', audio: true, audio_type: 'all', style: 'anime' }],
    ['text2video', { model: 'vidu1.5', prompt, duration: 8, movement_amplitude: 'large', wm_position: 1 }],
  ])('%s accepts %#', (call, body) => {
    expect(decision(call, body)).toBe('fine');
  });

  it.each<[string, ViduCall, unknown]>([
    ['FieldLacking model', 'text2video', { prompt }],
    ['FieldLacking prompt', 'text2video', { model: 'viduq2' }],
    ['FieldLacking prompt', 'text2video', { model: 'viduq2', prompt: '' }],
    ['FieldLacking prompt', 'reference2video', { model: 'viduq2', images: [url] }],
    ['FieldLacking images', 'img2video', { model: 'viduq1', prompt }],
    ['FieldLacking images', 'reference2video', { model: 'viduq2', prompt }],
    ['FieldInvalid model', 'text2video', { model: 'vidu9', prompt }],
    ['FieldInvalid model', 'text2video', { model: 'vidu2.0', prompt }],
    ['FieldInvalid model', 'img2video', { model: 'viduq2', images: [url] }],
    ['FieldInvalid prompt', 'text2video', { model: 'viduq2', prompt: 7 }],
    ['FieldInvalid prompt', 'text2video', { model: 'viduq2', prompt: 'x'.repeat(5001) }],
    ['FieldInvalid duration', 'text2video', { model: 'viduq2', prompt, duration: 11 }],
    ['FieldInvalid duration', 'text2video', { model: 'viduq2', prompt, duration: '5' }],
    ['FieldInvalid duration', 'text2video', { model: 'vidu1.5', prompt, duration: 5 }],
    ['FieldInvalid resolution', 'text2video', { model: 'viduq2', prompt, resolution: '720P' }],
    ['FieldInvalid resolution', 'text2video', { model: 'viduq1', prompt, resolution: '720p' }],
    ['FieldInvalid resolution', 'text2video', { model: 'vidu1.5', prompt, duration: 8, resolution: '1080p' }],
    ['FieldInvalid aspect_ratio', 'text2video', { model: 'viduq1', prompt, aspect_ratio: '4:3' }],
    ['FieldInvalid seed', 'text2video', { model: 'viduq2', prompt, seed: -1 }],
    ['FieldInvalid movement_amplitude', 'text2video', { model: 'viduq2', prompt, movement_amplitude: 'high' }],
    ['FieldInvalid bgm', 'text2video', { model: 'viduq2', prompt, bgm: 'true' }],
    ['FieldInvalid callback_url', 'text2video', { model: 'viduq2', prompt, callback_url: 'here' }],
    ['FieldInvalid images', 'img2video', { model: 'viduq1', images: url }],
    ['FieldUnwanted images', 'text2video', { model: 'viduq2', prompt, images: [url] }],
    ['FieldUnwanted subjects', 'img2video', { model: 'viduq1', images: [url], subjects: [] }],
    ['FieldUnwanted aspect_ratio', 'img2video', { model: 'viduq1', images: [url], aspect_ratio: '16:9' }],
    ['FieldUnwanted style', 'reference2video', { model: 'viduq2', prompt, images: [url], style: 'anime' }],
    ['FieldUnwanted is_rec', 'text2video', { model: 'viduq2', prompt, is_rec: true }],
    ['FieldUnwanted audio', 'text2video', { model: 'viduq1', prompt, audio: true }],
    ['FieldUnwanted negative_prompt', 'text2video', { model: 'viduq2', prompt, negative_prompt: 'rain' }],
    ['FieldUnwanted subjects', 'reference2video', { model: 'viduq2', prompt, images: [url], subjects: [] }],
    ['FieldItemCountOutOfRange images', 'img2video', { model: 'viduq1', images: times(2) }],
    ['FieldItemCountOutOfRange images', 'img2video', { model: 'viduq1', images: [] }],
    ['FieldItemCountOutOfRange images', 'start-end2video', { model: 'viduq1', images: times(1) }],
    ['FieldItemCountOutOfRange images', 'reference2video', { model: 'viduq2', prompt, images: times(8) }],
    ['FieldItemCountOutOfRange images', 'reference2video', { model: 'vidu2.0', prompt, images: times(4) }],
    [
      'FieldItemCountOutOfRange subjects.images',
      'reference2video',
      { model: 'viduq2', prompt, subjects: [{ id: '1', images: times(4) }] },
    ],
  ])('%s: %s rejects %#', (reason, call, body) => {
    expect(decision(call, body)).toBe(reason);
  });

  it.each<[string, ViduCall, string[]]>([
    ['ImageFormatInvalid', 'img2video', ['data:image/png;base64,a2l0ZQ==']],
    ['ImageFormatInvalid', 'img2video', ['kite.png']],
    ['PageSizeOutOfRange', 'img2video', [imageUrl(410, 100)]],
    ['PageSizeOutOfRange', 'reference2video', [imageUrl(127, 128)]],
    ['PageSizeOutOfRange', 'start-end2video', [imageUrl(100, 100), imageUrl(128, 100)]],
    ['PageSizeOutOfRange', 'start-end2video', [imageUrl(128, 100), imageUrl(100, 100)]],
  ])('%s for the images of %s', (reason, call, images) => {
    expect(decision(call, { model: 'viduq1', prompt, images })).toMatch(new RegExp(`^${reason} `));
  });

  it('requires an object', () => {
    expect(decision('text2video', 'kite')).toMatch(/^FieldInvalid/);
  });
});
