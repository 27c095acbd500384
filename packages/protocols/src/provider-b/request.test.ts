import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onlyGatewayErrors, refusal } from '../../test/refusals.ts';
import { checkQuery, decodeSubmit, decodeTaskId } from './request.ts';

const decode = (fields: unknown) => decodeSubmit({ fields, files: [] });
const url = (name: string) => `https://pics.test/${name}.png`;
const roles = (fields: object) => decode(fields).images.map(({ role }) => role);

describe('checkQuery', () => {
  it('accepts any version', () => {
    expect(() => checkQuery({ Action: 'CVSync2AsyncSubmitTask', Version: '2022-08-31' })).not.toThrow();
    expect(() => checkQuery({ Version: 'x' })).not.toThrow();
  });

  it.each([[{}], [{ Version: '' }], [{ Version: ['a', 'b'] }], [{ version: '2022-08-31' }]])('rejects %j', (query) => {
    expect(() => checkQuery(query)).toThrow(refusal('Version'));
  });
});

describe('decodeSubmit', () => {
  it('reads every field', () => {
    const fields = {
      req_key: 'jimeng_ti2v_v30_pro',
      prompt: 'a kite',
      image_urls: [url('a')],
      seed: 7,
      frames: 121,
      aspect_ratio: '16:9',
      camera_strength: 'weak',
      callback_url: 'https://client.test',
    };
    expect(decode(fields)).toEqual({
      model: 'jimeng_ti2v_v30_pro',
      request: {
        kind: 'video',
        prompt: 'a kite',
        seconds: '5',
        aspectRatio: '16:9',
        seed: 7,
        metadata: { camera_strength: 'weak' },
      },
      images: [{ role: 'first_frame', source: { kind: 'url', url: url('a') } }],
      dropped: ['callback_url'],
    });
  });

  it('requires only a prompt or an image', () => {
    expect(decode({ prompt: 'a', req_key: '', seed: -1, image_urls: [] })).toEqual({
      request: { kind: 'video', prompt: 'a' },
      images: [],
    });
    expect(decode({ binary_data_base64: ['iVBORw0='] })).toEqual({
      request: { kind: 'video' },
      images: [{ role: 'first_frame', base64: 'iVBORw0=', param: 'binary_data_base64[0]' }],
    });
  });

  it('moves options out of metadata', () => {
    const { metadata } = decode({ prompt: 'a', a: 1, b: 1, metadata: { b: 2 } }).request;
    expect(metadata).toEqual({ a: 1, b: 2 });
    expect(decode({ prompt: 'a', metadata: {} }).request).not.toHaveProperty('metadata');
  });

  it.each([
    [25, '1'],
    [121, '5'],
    ['241', '10'],
    [86_401, '3600'],
  ])('reads %s frames as %s seconds', (frames, seconds) => {
    expect(decode({ prompt: 'a', frames }).request.seconds).toBe(seconds);
  });

  it('assigns roles to images by their number, in both fields', () => {
    for (const [field, image] of [
      ['image_urls', url('a')],
      ['binary_data_base64', 'iVBORw0='],
    ] as const) {
      expect(roles({ [field]: [image] })).toEqual(['first_frame']);
      expect(roles({ [field]: [image, image] })).toEqual(['first_frame', 'last_frame']);
      expect(roles({ [field]: [image, image, image] })).toEqual(['reference', 'reference', 'reference']);
    }
  });

  it.each([
    [undefined, 'prompt'],
    [{}, 'prompt'],
    [{ prompt: '' }, 'prompt'],
    [{ prompt: '  ' }, 'prompt'],
    [{ prompt: 5 }, 'prompt'],
    [{ prompt: 'x'.repeat(32_769) }, 'prompt'],
    [{ prompt: 'a', req_key: 5 }, 'req_key'],
    [{ prompt: 'a', req_key: ' ' }, 'req_key'],
    [{ prompt: 'a', seed: -2 }, 'seed'],
    [{ prompt: 'a', frames: 120 }, 'frames'],
    [{ prompt: 'a', frames: 1 }, 'frames'],
    [{ prompt: 'a', frames: 86_425 }, 'frames'],
    [{ prompt: 'a', frames: 'many' }, 'frames'],
    [{ prompt: 'a', aspect_ratio: 'wide' }, 'aspect_ratio'],
    [{ prompt: 'a', image_urls: url('a') }, 'image_urls'],
    [{ prompt: 'a', image_urls: [5] }, 'image_urls[0]'],
    [{ prompt: 'a', image_urls: [url('a'), 'ftp://pics.test'] }, 'image_urls[1]'],
    [{ prompt: 'a', image_urls: ['iVBORw0='] }, 'image_urls[0]'],
    [{ prompt: 'a', image_urls: Array(17).fill(url('a')) }, 'image_urls'],
    [{ prompt: 'a', binary_data_base64: 'iVBORw0=' }, 'binary_data_base64'],
    [{ prompt: 'a', binary_data_base64: [url('a')] }, 'binary_data_base64[0]'],
    [{ prompt: 'a', binary_data_base64: ['iVBORw0=', '!'] }, 'binary_data_base64[1]'],
    [{ prompt: 'a', binary_data_base64: ['iVBORw0='], image_urls: [url('a')] }, 'image_urls'],
    [{ prompt: 'a', option: 'x'.repeat(65_536) }, 'option'],
    [{ prompt: 'a', metadata: 'x' }, 'metadata'],
    [{ prompt: 'a', metadata: { long: 'x'.repeat(65_536) } }, 'metadata[long]'],
    ['text', undefined],
    [[], undefined],
  ])('rejects %.80j', (fields, param) => {
    expect(() => decode(fields)).toThrow(refusal(param));
  });

  it('throws only gateway errors on any input', () => {
    const known = fc.constantFrom('req_key', 'seed', 'frames', 'image_urls', 'binary_data_base64');
    const value = fc.oneof(fc.anything(), fc.array(fc.oneof(fc.webUrl(), fc.constant('AAAA'))));
    const fields = fc.oneof(
      fc.anything(),
      fc.dictionary(fc.oneof(known, fc.string()), value).map((body) => Object.assign(body, { prompt: 'a' })),
    );
    fc.assert(
      fc.property(fields, (any) => {
        onlyGatewayErrors(() => void JSON.stringify(decode(any)));
        onlyGatewayErrors(() => void decodeTaskId(any));
      }),
      { numRuns: 500 },
    );
  });
});

describe('decodeTaskId', () => {
  it("reads the id and the other fields of Volcengine's clients", () => {
    expect(decodeTaskId({ task_id: 'video_01' })).toBe('video_01');
    expect(decodeTaskId({ req_key: 'k', task_id: 'video_01', req_json: '{"return_url":true}' })).toBe('video_01');
  });

  it.each([
    [undefined, 'task_id'],
    [null, 'task_id'],
    [{}, 'task_id'],
    [{ task_id: '' }, 'task_id'],
    [{ task_id: null }, 'task_id'],
    [{ task_id: 739261633651961 }, 'task_id'],
    [{ task_id: ['a'] }, 'task_id'],
    [{ task_id: 'x'.repeat(257) }, 'task_id'],
    [{ task_id: 'a', req_key: 5 }, 'req_key'],
    [{ task_id: 'a', req_json: {} }, 'req_json'],
    [{ task_id: 'a', req_json: '{' }, 'req_json'],
    [{ task_id: 'a', req_json: '[]' }, 'req_json'],
    ['video_01', undefined],
    [['video_01'], undefined],
  ])('rejects %.60j', (fields, param) => {
    expect(() => decodeTaskId(fields)).toThrow(refusal(param));
  });
});
