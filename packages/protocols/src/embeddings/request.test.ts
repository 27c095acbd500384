import fc from 'fast-check';
import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { countedReads } from '../../test/counted-reads.ts';
import { decodeEmbedding } from './request.ts';

const decode = (body: unknown, model?: string) => decodeEmbedding({ body, ...(model !== undefined && { model }) });

describe('embedding requests', () => {
  it.each([
    ['a text', 'hi', ['hi']],
    ['texts', ['a', 'b'], ['a', 'b']],
    ['tokens, which are one input', [1, 2, 3], [[1, 2, 3]]],
    ['lists of tokens', [[1, 2], [3]], [[1, 2], [3]]],
  ])('accepts %s', (_title, input, inputs) => {
    expect(decode({ model: 'm', input })).toEqual({
      model: 'm',
      params: { inputs, prefersBase64: false, foreign: { protocol: 'openai', fields: {} } },
    });
  });

  it('accepts format, dimensions, and unknown fields', () => {
    const body = { model: 'm', input: 'a', encoding_format: 'base64', dimensions: 3, user: 'u', novel: [1] };
    expect(decode(body).params).toEqual({
      inputs: ['a'],
      dimensions: 3,
      prefersBase64: true,
      foreign: { protocol: 'openai', fields: { user: 'u', novel: [1] } },
    });
  });

  it('treats null as absent', () => {
    const { params } = decode({ model: 'm', input: 'a', encoding_format: null, dimensions: null });
    expect(params).toEqual({ inputs: ['a'], prefersBase64: false, foreign: { protocol: 'openai', fields: {} } });
  });

  it('prefers the path’s model to the body’s', () => {
    expect(decode({ model: 'm', input: 'a' }, 'p').model).toBe('p');
    expect(decode({ input: 'a' })).not.toHaveProperty('model');
  });

  it('accepts 2,048 inputs, and one input with more tokens', () => {
    expect(decode({ input: Array.from({ length: 2048 }, () => 'a') }).params.inputs).toHaveLength(2048);
    expect(decode({ input: Array.from({ length: 2049 }, () => 7) }).params.inputs).toHaveLength(1);
  });

  it.each([
    [undefined, 'input'],
    [[], undefined],
    [{ model: 'm' }, 'input'],
    [{ input: '' }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: ['a', ''] }, 'input[1]'],
    [{ input: [[]] }, 'input[0]'],
    [{ input: ['a', 1] }, 'input'],
    [{ input: [1.5] }, 'input'],
    [{ input: [-1] }, 'input'],
    [{ input: null }, 'input'],
    [{ input: 5 }, 'input'],
    [{ input: { text: 'a' } }, 'input'],
    [{ input: Array.from({ length: 2049 }, () => 'a') }, 'input'],
    [{ input: 'a', model: '' }, 'model'],
    [{ input: 'a', model: 7 }, 'model'],
    [{ input: 'a', encoding_format: 'int8' }, 'encoding_format'],
    [{ input: 'a', dimensions: 0 }, 'dimensions'],
    [{ input: 'a', dimensions: 1.5 }, 'dimensions'],
    [{ input: 'a', dimensions: '8' }, 'dimensions'],
    [{ input: Array.from({ length: 2049 }, () => [1]) }, 'input'],
  ])('rejects invalid input %# and names its field', (body, param) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });

  it.each([
    ['', 'input must not be empty.'],
    [[], 'input must be a string, an array of strings, an array of tokens, or an array of such arrays, and not empty.'],
    [
      ['a', 1],
      'input must be a string, an array of strings, an array of tokens, or an array of such arrays, and not empty.',
    ],
    [['a', ''], 'input[1] must not be empty.'],
    [Array.from({ length: 2049 }, () => 'a'), 'input must have at most 2048 items.'],
    [Array.from({ length: 300_001 }, () => 7), 'input must have at most 300000 tokens.'],
    [undefined, 'input is required.'],
  ])('describes what is wrong with invalid input %#', (input, message) => {
    expect(() => decode({ input })).toThrow(expect.objectContaining({ message }));
  });

  it.each([[1.5], ['a'], [''], [[1]], [[]], [{}], [null]])(
    'stops early in a huge array of inputs such as %j',
    (item) => {
      const { list, reads } = countedReads(item, 1_000_000);
      expect(() => decode({ input: list })).toThrow(expect.objectContaining({ code: 'invalid_request' }));
      expect(reads()).toBeLessThan(20);
    },
  );

  it('throws only gateway errors on any input', () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        try {
          decode(body);
          decode({ input: body });
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError);
        }
      }),
    );
  });
});
