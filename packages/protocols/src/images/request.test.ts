import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onlyGatewayErrors, refusal } from '../../test/refusals.ts';
import { decodeEdit, decodeGeneration } from './request.ts';

const stored = { key: 'inputs/1', mediaType: 'image/png', filename: 'a.png', bytes: 9, sha256: 'x' };
const form = (fields: unknown, ...files: string[]) => ({
  fields,
  files: files.map((field) => Object.assign({ field }, stored)),
});
const generate = (fields: unknown, ...files: string[]) => decodeGeneration(form(fields, ...files));
const edit = (fields: unknown, ...files: string[]) => decodeEdit(form(fields, ...files));
const url = 'https://pics.test/a.png';
const messages = [{ role: 'user', content: [{ text: 'a poster' }] }];

describe('decodeGeneration', () => {
  it("reads every field of OpenAI's format", () => {
    const fields = {
      model: 'gpt-image-1',
      prompt: 'a poster',
      negative_prompt: 'rain',
      n: 2,
      size: '1024x1536',
      aspect_ratio: '2:3',
      quality: 'high',
      background: 'transparent',
      output_format: 'webp',
      output_compression: 80,
      response_format: 'url',
      style: 'vivid',
      user: 'u1',
      moderation: 'low',
      seed: 7,
      watermark: false,
      prompt_extend: true,
      stream: false,
      partial_images: 0,
      input_fidelity: 'high',
      metadata: { lora: 'x' },
    };
    expect(generate(fields)).toEqual({
      model: 'gpt-image-1',
      request: {
        kind: 'image',
        prompt: 'a poster',
        negativePrompt: 'rain',
        n: 2,
        size: '1024x1536',
        aspectRatio: '2:3',
        seed: 7,
        quality: 'high',
        background: 'transparent',
        outputFormat: 'webp',
        watermark: false,
        promptExtend: true,
        metadata: {
          output_compression: 80,
          style: 'vivid',
          user: 'u1',
          moderation: 'low',
          input_fidelity: 'high',
          lora: 'x',
        },
        delivery: 'url',
      },
      images: [],
    });
  });

  it('requires only a prompt', () => {
    expect(generate({ prompt: 'a', size: '', n: null, input: null })).toEqual({
      request: { kind: 'image', prompt: 'a' },
      images: [],
    });
  });

  it.each([{}, { response_format: 'url' }, { response_format: 'b64_json' }])(
    'leaves the delivery open unless %j selects it',
    (fields) => {
      const delivery = fields.response_format;
      const { request } = generate({ model: 'gpt-image-1', prompt: 'a', ...fields });
      expect(request).toEqual({ kind: 'image', prompt: 'a', ...(delivery !== undefined && { delivery }) });
    },
  );

  it('drops auto and accepts both signs between the sides', () => {
    expect(generate({ prompt: 'a', size: 'auto', quality: 'auto', background: 'auto' }).request).toEqual({
      kind: 'image',
      prompt: 'a',
    });
    expect(generate({ prompt: 'a', size: '1328*1328' }).request.size).toBe('1328x1328');
  });

  it('accepts reference images', () => {
    expect(generate({ prompt: 'a', image: [url, url] }).images).toEqual([
      { role: 'reference', source: { kind: 'url', url } },
      { role: 'reference', source: { kind: 'url', url } },
    ]);
  });

  it("reads DashScope's format if there is an input", () => {
    expect(generate({ model: 'qwen-image', input: { messages } })).toEqual({
      model: 'qwen-image',
      request: { kind: 'image', prompt: 'a poster' },
      images: [],
    });
  });

  it.each([
    [undefined, 'prompt'],
    [{}, 'prompt'],
    [{ model: 'm' }, 'prompt'],
    [{ prompt: ' ' }, 'prompt'],
    [{ prompt: 5 }, 'prompt'],
    [{ prompt: 'x'.repeat(32_769) }, 'prompt'],
    [{ prompt: 'a', model: 5 }, 'model'],
    [{ prompt: 'a', model: ' ' }, 'model'],
    [{ prompt: 'a', n: 0 }, 'n'],
    [{ prompt: 'a', n: 11 }, 'n'],
    [{ prompt: 'a', n: 1.5 }, 'n'],
    [{ prompt: 'a', size: 'large' }, 'size'],
    [{ prompt: 'a', size: 1024 }, 'size'],
    [{ prompt: 'a', aspect_ratio: 'wide' }, 'aspect_ratio'],
    [{ prompt: 'a', quality: 5 }, 'quality'],
    [{ prompt: 'a', background: {} }, 'background'],
    [{ prompt: 'a', output_format: 'gif' }, 'output_format'],
    [{ prompt: 'a', output_compression: 101 }, 'output_compression'],
    [{ prompt: 'a', response_format: 'png' }, 'response_format'],
    [{ prompt: 'a', seed: 'x' }, 'seed'],
    [{ prompt: 'a', watermark: 'yes' }, 'watermark'],
    [{ prompt: 'a', style: 5 }, 'style'],
    [{ prompt: 'a', user: 5 }, 'user'],
    [{ prompt: 'a', moderation: 5 }, 'moderation'],
    [{ prompt: 'a', stream: 'yes' }, 'stream'],
    [{ prompt: 'a', partial_images: 4 }, 'partial_images'],
    [{ prompt: 'a', image: 5 }, 'image'],
    [{ prompt: 'a', image: 'ftp://pics.test' }, 'image'],
    [{ prompt: 'a', metadata: 'x' }, 'metadata'],
    [{ prompt: 'a', other: 'x'.repeat(65_536) }, 'other'],
    [{ input: { messages } }, 'model'],
    [{ model: 'm', input: { messages: [{ role: 'user', content: [{ image: url }] }] } }, 'input[messages]'],
    ['text', undefined],
    [[], undefined],
  ])('rejects %.60j', (fields, param) => {
    expect(() => generate(fields)).toThrow(refusal(param));
  });

  it.each([
    [{ prompt: 'a', stream: true }, 'stream'],
    [{ prompt: 'a', stream: 'true' }, 'stream'],
    [{ prompt: 'a', partial_images: 2 }, 'partial_images'],
    [{ model: 'm', input: { messages }, stream: true }, 'stream'],
  ])('reports %j as not supported', (fields, param) => {
    expect(() => generate(fields)).toThrow(refusal(param, 'unsupported_parameter'));
  });

  it('never forwards a model or a callback', () => {
    const fields = { prompt: 'a', notify_url: 'https://x.test', metadata: { model: 'dear', webhook: 'x' } };
    const { request, dropped } = generate(fields);
    expect(request).not.toHaveProperty('metadata');
    expect(dropped).toEqual(['notify_url', 'metadata[model]', 'metadata[webhook]']);
  });
});

describe('decodeEdit', () => {
  it.each([['image'], ['image[]'], ['image[0]'], ['images[]']])('accepts a file in %s', (field) => {
    expect(edit({ prompt: 'a' }, field).images).toEqual([{ role: 'reference', source: { kind: 'stored', ...stored } }]);
  });

  it('accepts several files, and the mask after them in any order', () => {
    expect(edit({ prompt: 'a' }, 'mask', 'image[]', 'image[]').images.map(({ role }) => role)).toEqual([
      'reference',
      'reference',
      'mask',
    ]);
  });

  it('accepts images and mask in JSON', () => {
    const fields = { prompt: 'a', images: [{ image_url: url }, 'iVBORw0='], mask: { image_url: url } };
    expect(edit(fields).images).toEqual([
      { role: 'reference', source: { kind: 'url', url } },
      { role: 'reference', base64: 'iVBORw0=', param: 'images[1]' },
      { role: 'mask', source: { kind: 'url', url } },
    ]);
  });

  it("reads DashScope's format, in which an image needs no text", () => {
    const content = [{ image: url }];
    expect(edit({ model: 'qwen-image-edit', input: { messages: [{ role: 'user', content }] } })).toEqual({
      model: 'qwen-image-edit',
      request: { kind: 'image' },
      images: [{ role: 'reference', source: { kind: 'url', url } }],
    });
  });

  it.each([
    [undefined, 'image'],
    [{ prompt: 'a' }, 'image'],
    [{ prompt: 'a', images: [] }, 'image'],
    [{ prompt: 'a', mask: url }, 'image'],
    [{ image: url }, 'prompt'],
    [{ image: url, prompt: '' }, 'prompt'],
    [{ prompt: 'a', image: { file_id: 'file_1' } }, 'image[file_id]'],
    [{ prompt: 'a', image: {} }, 'image[image_url]'],
    [{ prompt: 'a', images: [url, 5] }, 'images[1]'],
    [{ prompt: 'a', images: [url, 'ftp://pics.test'] }, 'images[1]'],
    [{ prompt: 'a', images: Array(17).fill(url) }, 'images'],
    [{ prompt: 'a', image: url, images: [url] }, 'images'],
    [{ prompt: 'a', image: [url], images: [url] }, 'images'],
    [{ prompt: 'a', image: url, mask: 5 }, 'mask'],
    [{ prompt: 'a', image: url, mask: { file_id: 'file_1' } }, 'mask[file_id]'],
    [{ model: 'm', input: { messages } }, 'input[messages]'],
  ])('rejects %.60j', (fields, param) => {
    expect(() => edit(fields)).toThrow(refusal(param));
  });

  it('rejects files together with references, and two masks', () => {
    expect(() => edit({ prompt: 'a', image: url }, 'image')).toThrow(refusal('image'));
    expect(() => edit({ prompt: 'a', images: [url] }, 'image')).toThrow(refusal('images'));
    expect(() => edit({ prompt: 'a', mask: url }, 'image', 'mask')).toThrow(refusal('mask'));
    expect(() => edit({ prompt: 'a' }, 'image', 'mask', 'mask')).toThrow(refusal('mask'));
  });
});

it('both throw only gateway errors on any input', () => {
  const known = fc.constantFrom('input', 'parameters', 'model', 'image', 'images', 'mask', 'size', 'n', 'metadata');
  const value = fc.oneof(fc.anything(), fc.webUrl(), fc.constantFrom('data:image/png;base64,AAAA', 'AAAA'));
  const fields = fc.oneof(
    fc.anything(),
    fc.dictionary(fc.oneof(known, fc.string()), value).map((body) => Object.assign(body, { prompt: 'a' })),
    fc.record({
      model: fc.constant('m'),
      input: fc.oneof(value, fc.record({ messages: fc.array(fc.oneof(value, fc.record({ content: value }))) })),
      parameters: value,
    }),
  );
  fc.assert(
    fc.property(fields, fc.subarray(['image', 'images[]', 'mask', 'other']), (any, files) => {
      onlyGatewayErrors(() => void JSON.stringify(generate(any, ...files)));
      onlyGatewayErrors(() => void JSON.stringify(edit(any, ...files)));
    }),
    { numRuns: 500 },
  );
});
