import { GatewayError } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeListing, decodeVideo } from './request.ts';

const file = { key: 'inputs/1', mediaType: 'image/png', filename: 'a.png', bytes: 9 };
const decode = (fields: unknown) => decodeVideo({ fields });
const refusal = (param: string | undefined) => expect.objectContaining({ code: 'invalid_request', param });

/** Runs a decoder on anything; fails when it throws what is no answer for a client. */
function onlyGatewayErrors(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(error.code).toBe('invalid_request');
  }
}

describe('decodeVideo', () => {
  it('reads every field', () => {
    expect(decode({ model: 'film', prompt: 'a kite', seconds: '8', size: '1280x720', metadata: { fps: 24 } })).toEqual({
      model: 'film',
      request: { prompt: 'a kite', seconds: '8', size: '1280x720', images: [], metadata: { fps: 24 } },
      inlineImages: [],
    });
  });

  it('needs a prompt and nothing else', () => {
    expect(decode({ prompt: 'a kite' })).toEqual({ request: { prompt: 'a kite', images: [] }, inlineImages: [] });
  });

  it.each([undefined, null, {}, { prompt: '' }, { prompt: null }, { prompt: '  \n' }])(
    'refuses %j: no prompt',
    (fields) => {
      expect(() => decode(fields)).toThrow(refusal('prompt'));
    },
  );

  it.each(['text', 5, true, [], [{ prompt: 'a' }]])('refuses %j: it is no object', (fields) => {
    expect(() => decode(fields)).toThrow(refusal(undefined));
  });

  it('counts empty texts and nulls as left out', () => {
    const fields = {
      prompt: 'a',
      model: '',
      seconds: null,
      size: '',
      input_reference: null,
      metadata: '',
      other: null,
    };
    expect(decode(fields)).toEqual(decode({ prompt: 'a' }));
  });

  it.each([
    ['4', '4'],
    [4, '4'],
    ['04', '4'],
    [2.5, '2.5'],
    ['2.50', '2.5'],
    [3600, '3600'],
  ])('reads seconds %j as "%s"', (seconds, expected) => {
    expect(decode({ prompt: 'a', seconds }).request.seconds).toBe(expected);
  });

  it.each([0, -1, '0', '-4', '4s', ' 4', 'NaN', 'Infinity', '1e3', 1e-7, 0.1 + 0.2, 3601, 1e21, true, [4], { n: 4 }])(
    'refuses seconds %j',
    (seconds) => {
      expect(() => decode({ prompt: 'a', seconds })).toThrow(refusal('seconds'));
    },
  );

  it('gives seconds as a positive decimal, whatever number was accepted', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer(), fc.string()), (seconds) => {
        onlyGatewayErrors(() => {
          const decoded = decode({ prompt: 'a', seconds }).request.seconds;
          if (decoded !== undefined) expect(decoded).toMatch(/^(?!0$)\d{1,4}(\.\d{1,3})?$/);
        });
      }),
    );
  });

  it.each(['1280', '1280X720', '1280*720', '0x720', '-1x5', '1280x720p', 'auto', 720, ['1280x720']])(
    'refuses size %j',
    (size) => {
      expect(() => decode({ prompt: 'a', size })).toThrow(refusal('size'));
    },
  );

  it('takes a stored file as the reference picture', () => {
    expect(decodeVideo({ fields: { prompt: 'a' }, file }).request.images).toEqual([
      { role: 'reference', source: { kind: 'stored', ...file } },
    ]);
  });

  it.each([{ image_url: 'https://pics.test/a.png' }, 'https://pics.test/a.png'])(
    'takes a picture by URL: %j',
    (given) => {
      expect(decode({ prompt: 'a', input_reference: given }).request.images).toEqual([
        { role: 'reference', source: { kind: 'url', url: 'https://pics.test/a.png' } },
      ]);
    },
  );

  it('hands out a data URL as bytes still to be stored', () => {
    expect(decode({ prompt: 'a', input_reference: { image_url: 'data:Image/PNG;base64,iVBORw0=' } })).toMatchObject({
      request: { images: [] },
      inlineImages: [
        { role: 'reference', mediaType: 'image/png', base64: 'iVBORw0=', param: 'input_reference[image_url]' },
      ],
    });
  });

  it.each([
    'ftp://pics.test/a.png',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user:pass@pics.test/a.png',
    'https://user@pics.test/a.png',
    'not a url',
    '//pics.test/a.png',
    `https://pics.test/${'a'.repeat(9_000)}`,
    'data:image/png,plain',
    'data:image/png;base64,',
    'data:image/png;base64,!!!',
    'data:image/png;base64',
    'data:',
  ])('refuses the picture %.40s', (image_url) => {
    expect(() => decode({ prompt: 'a', input_reference: { image_url } })).toThrow(
      refusal('input_reference[image_url]'),
    );
  });

  it.each([
    [{}, 'input_reference[image_url]'],
    [{ image_url: 5 }, 'input_reference[image_url]'],
    [{ file_id: 'file_1' }, 'input_reference[file_id]'],
    [['https://pics.test/a.png'], 'input_reference'],
    [5, 'input_reference'],
  ])('refuses the reference %j', (input_reference, param) => {
    expect(() => decode({ prompt: 'a', input_reference })).toThrow(refusal(param));
  });

  it('refuses a file and a reference together', () => {
    const fields = { prompt: 'a', input_reference: { image_url: 'https://pics.test/a.png' } };
    expect(() => decodeVideo({ fields, file })).toThrow(refusal('input_reference'));
  });

  it('collects unknown fields and metadata, the latter winning, and never a model', () => {
    const fields = { prompt: 'a', model: 'film', camera: 'pan', fps: '24', metadata: { fps: 30, model: 'other' } };
    expect(decode(fields)).toMatchObject({ model: 'film', request: { metadata: { camera: 'pan', fps: 30 } } });
    expect(decode({ prompt: 'a', metadata: { model: 'other' } }).request).not.toHaveProperty('metadata');
  });

  it('reads metadata sent as JSON text', () => {
    expect(decode({ prompt: 'a', metadata: '{"fps":24}' }).request.metadata).toEqual({ fps: 24 });
  });

  it.each(['{"fps":', '5', '[1]', '"text"', [1], 5, true])('refuses metadata %j', (metadata) => {
    expect(() => decode({ prompt: 'a', metadata })).toThrow(refusal('metadata'));
  });

  it('refuses metadata that is too large or nested too deep to be walked', () => {
    expect(() => decode({ prompt: 'a', metadata: { long: 'x'.repeat(65_536) } })).toThrow(refusal('metadata'));
    const depth = 100_000;
    const deep: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    expect(() => decode({ prompt: 'a', metadata: { deep } })).toThrow(refusal('metadata'));
    expect(() => decode({ prompt: 'a', deep })).toThrow(refusal('metadata'));
  });

  it('makes lone surrogates of a prompt well formed', () => {
    expect(decode({ prompt: 'a\ud800b' }).request.prompt).toBe('a\ufffdb');
  });

  it('does not let a field become a prototype', () => {
    const decoded = decode(
      JSON.parse('{"prompt":"a","__proto__":{"polluted":1},"metadata":{"__proto__":{"polluted":1}}}'),
    );
    expect(decoded.request.metadata ?? {}).not.toHaveProperty('polluted');
    expect('polluted' in {}).toBe(false);
  });

  it('throws nothing but refusals on arbitrary input', () => {
    const known = fc.constantFrom('prompt', 'model', 'seconds', 'size', 'input_reference', 'metadata', '__proto__');
    const value = fc.oneof(fc.anything(), fc.webUrl(), fc.string(), fc.constantFrom('data:image/png;base64,AAAA', '4'));
    const fields = fc.oneof(
      fc.anything(),
      fc.dictionary(fc.oneof(known, fc.string()), value).map((given) => Object.assign(given, { prompt: 'a' })),
      fc.record({
        prompt: value,
        input_reference: fc.record({ image_url: value, file_id: value }, { requiredKeys: [] }),
      }),
    );
    fc.assert(
      fc.property(fields, fc.boolean(), (any, withFile) => {
        onlyGatewayErrors(() => {
          const { request } = decodeVideo({ fields: any, ...(withFile && { file }) });
          expect(request.prompt?.trim()).not.toBe('');
          expect(() => JSON.stringify(request)).not.toThrow();
        });
      }),
      { numRuns: 500 },
    );
  });
});

describe('decodeListing', () => {
  it('has defaults', () => {
    expect(decodeListing({})).toEqual({ limit: 20, order: 'desc' });
  });

  it('reads what SDKs send', () => {
    expect(decodeListing({ after: 'video_01', limit: '100', order: 'asc', key: 'sk' })).toEqual({
      after: 'video_01',
      limit: 100,
      order: 'asc',
    });
  });

  it.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '-1'],
    ['limit', '2.5'],
    ['limit', 'many'],
    ['limit', ''],
    ['limit', ['1', '2']],
    ['order', 'DESC'],
    ['order', ''],
    ['after', ''],
    ['after', '[video'],
    ['after', '+'],
    ['after', 'x'.repeat(65)],
    ['after', ['a', 'b']],
  ])('refuses %s=%j', (field, value) => {
    expect(() => decodeListing({ [field]: value })).toThrow(refusal(field));
  });

  it('throws nothing but refusals on arbitrary queries', () => {
    const value = fc.oneof(fc.string(), fc.array(fc.string()));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('after', 'limit', 'order', 'x'), value), (query) => {
        onlyGatewayErrors(() => expect(decodeListing(query).limit).toBeLessThanOrEqual(100));
      }),
    );
  });
});
