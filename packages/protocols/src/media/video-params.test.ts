import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onlyGatewayErrors, refusal } from '../../test/refusals.ts';
import { decodeVideoParams } from './video-params.ts';
import { decode, request } from '../../test/decoded-video-params.ts';

describe('decodeVideoParams', () => {
  it('reads every field', () => {
    const fields = {
      model: 'film',
      prompt: 'a kite',
      negative_prompt: 'rain',
      seconds: '8',
      size: '1280x720',
      aspect_ratio: '16:9',
      resolution: '720P',
      fps: 24,
      seed: 7,
      generate_audio: true,
      watermark: false,
      prompt_extend: true,
      n: 1,
      response_format: 'url',
      mode: 'pro',
      user: 'u1',
      metadata: { style: 'anime' },
    };
    expect(decode(fields)).toEqual({
      model: 'film',
      request: {
        kind: 'video',
        prompt: 'a kite',
        negativePrompt: 'rain',
        seconds: '8',
        size: '1280x720',
        aspectRatio: '16:9',
        resolution: '720p',
        fps: 24,
        seed: 7,
        audio: true,
        watermark: false,
        promptExtend: true,
        metadata: { mode: 'pro', user: 'u1', style: 'anime' },
      },
      images: [],
    });
  });

  it('converts the texts of a form', () => {
    const fields = {
      fps: '24',
      seed: '7',
      generate_audio: 'true',
      watermark: 'false',
      n: '1',
      width: '640',
      height: '360',
    };
    expect(request(fields)).toEqual({
      kind: 'video',
      prompt: 'a',
      size: '640x360',
      fps: 24,
      seed: 7,
      audio: true,
      watermark: false,
    });
  });

  it('requires only a prompt or an image', () => {
    expect(decode({ prompt: 'a kite' })).toEqual({ request: { kind: 'video', prompt: 'a kite' }, images: [] });
    expect(decode({ image: 'https://pics.test/a.png' }).request).toEqual({ kind: 'video' });
    expect(decode({}, 'image').images).toHaveLength(1);
  });

  it.each([undefined, null, {}, { prompt: '' }, { prompt: null }, { prompt: '  \n' }, { prompt: 5 }])(
    'rejects %j without a prompt',
    (fields) => {
      expect(() => decode(fields)).toThrow(refusal('prompt'));
    },
  );

  it.each(['text', 5, true, [], [{ prompt: 'a' }]])('rejects %j, which is not an object', (fields) => {
    expect(() => decode(fields)).toThrow(refusal(undefined));
  });

  it('treats empty texts and nulls as absent', () => {
    const fields = { model: '', seconds: null, size: '', input_reference: null, metadata: '', other: null };
    expect(decode({ prompt: 'a', ...fields })).toEqual(decode({ prompt: 'a' }));
  });

  it.each([
    ['prompt', 'x'.repeat(32_769)],
    ['model', 'x'.repeat(257)],
    ['model', 5],
    ['negative_prompt', 'x'.repeat(32_769)],
    ['seconds', '4s'],
    ['duration', 0],
    ['size', '1280*720'],
    ['width', 'wide'],
    ['height', 0],
    ['aspect_ratio', 'wide'],
    ['resolution', 'high'],
    ['fps', 'fast'],
    ['seed', -2],
    ['generate_audio', 'loud'],
    ['watermark', 'yes'],
    ['prompt_extend', 2],
    ['n', 2],
    ['n', '0'],
    ['response_format', 'b64_json'],
    ['input_reference', 5],
    ['input_reference', ['https://pics.test/a.png']],
    ['input_reference', { image_url: 5 }],
    ['image', true],
    ['image', 'not an image'],
    ['metadata', '{"fps":'],
    ['metadata', '5'],
    ['metadata', '[1]'],
    ['metadata', '"text"'],
    ['metadata', [1]],
    ['metadata', 5],
    ['metadata', true],
  ])('rejects %s %.30j', (field, value) => {
    expect(() => decode({ prompt: 'a', [field]: value })).toThrow(refusal(field));
  });

  it('accepts an alias of a field, but not with a different value', () => {
    expect(request({ duration: 5 }).seconds).toBe('5');
    expect(request({ duration: 5, seconds: '5' }).seconds).toBe('5');
    expect(() => request({ duration: 5, seconds: '4' })).toThrow(refusal('duration'));
    expect(request({ width: 64, height: 36, size: '64x36' }).size).toBe('64x36');
    expect(() => request({ width: 64, height: 36, size: '36x64' })).toThrow(refusal('width'));
    expect(() => request({ width: 64 })).toThrow(refusal('height'));
    expect(() => request({ height: 64 })).toThrow(refusal('width'));
  });

  it('reads the seed -1 as none', () => {
    expect(request({ seed: -1 })).not.toHaveProperty('seed');
  });
});

describe('metadata of a video', () => {
  it('collects unknown fields and metadata, which wins, and never a model', () => {
    const fields = { model: 'film', camera: 'pan', toString: 'x', metadata: { camera: 'tilt', model: 'other' } };
    expect(decode({ prompt: 'a', ...fields })).toMatchObject({
      model: 'film',
      request: { metadata: { camera: 'tilt', toString: 'x' } },
    });
    expect(request({ metadata: { model: 'other' } })).not.toHaveProperty('metadata');
  });

  it('reads metadata sent as JSON text', () => {
    expect(request({ metadata: '{"style":"anime"}' }).metadata).toEqual({ style: 'anime' });
  });

  it('moves canonical options out of metadata unless they are set already or have another format', () => {
    const metadata = { negative_prompt: 'rain', seed: '3', fps: 30, watermark: { enabled: true }, resolution: 'auto' };
    expect(request({ fps: 24, metadata })).toEqual({
      kind: 'video',
      prompt: 'a',
      negativePrompt: 'rain',
      seed: 3,
      fps: 24,
      metadata: { fps: 30, watermark: { enabled: true }, resolution: 'auto' },
    });
    expect(request({ metadata: { seed: -1 } })).toEqual({ kind: 'video', prompt: 'a' });
  });

  it('removes and reports callbacks', () => {
    const fields = { notify_url: 'https://evil.test', metadata: { webhook: 'x', input: { notify_url: 'x' } } };
    expect(request(fields).metadata).toEqual({ input: {} });
    expect(decodeVideoParams({ fields: { prompt: 'a', ...fields }, files: [] }).dropped).toEqual([
      'notify_url',
      'metadata[webhook]',
      'metadata[input][notify_url]',
    ]);
  });

  it('rejects metadata that is too large or nested too deeply', () => {
    expect(() => request({ metadata: { long: 'x'.repeat(65_536) } })).toThrow(refusal('metadata[long]'));
    const depth = 100_000;
    const deep: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    expect(() => request({ metadata: { deep } })).toThrow(refusal('metadata[deep]'));
    expect(() => request({ deep })).toThrow(refusal('deep'));
  });

  it('does not change a prototype', () => {
    const decoded = decode(
      JSON.parse('{"prompt":"a","__proto__":{"polluted":1},"metadata":{"__proto__":{"polluted":1}}}'),
    );
    expect(decoded.request.metadata ?? {}).not.toHaveProperty('polluted');
    expect('polluted' in {}).toBe(false);
  });
});

it('decodeVideoParams throws only GatewayError on arbitrary input', () => {
  const known = fc.constantFrom(
    'model',
    'seconds',
    'duration',
    'size',
    'width',
    'seed',
    'input_reference',
    'image',
    'images',
    'metadata',
    '__proto__',
  );
  const value = fc.oneof(fc.anything(), fc.webUrl(), fc.string(), fc.constantFrom('data:image/png;base64,AAAA', '4'));
  const fields = fc.oneof(
    fc.anything(),
    fc.dictionary(fc.oneof(known, fc.string()), value).map((body) => Object.assign(body, { prompt: 'a' })),
    fc.record({
      prompt: value,
      input_reference: fc.record({ image_url: value, file_id: value }, { requiredKeys: [] }),
    }),
  );
  fc.assert(
    fc.property(fields, fc.subarray(['input_reference', 'image', 'images[]', 'other']), (any, files) => {
      onlyGatewayErrors(() => {
        const decoded = decode(any, ...files);
        expect(decoded.request.prompt?.trim()).not.toBe('');
        expect(() => JSON.stringify(decoded)).not.toThrow();
      });
    }),
    { numRuns: 1_000 },
  );
});
