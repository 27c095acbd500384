import fc from 'fast-check';
import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { decodeModeration } from './request.ts';

describe('decodeModeration', () => {
  it.each([
    ['a text', 'hello'],
    ['texts', ['a', 'b']],
    [
      'parts',
      [
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: { url: 'https://x.example/a.png' } },
      ],
    ],
  ])('reads %s', (_title, input) => {
    expect(decodeModeration({ body: { model: 'm', input } })).toEqual({
      model: 'm',
      params: { input, foreign: { protocol: 'openai', fields: {} } },
    });
  });

  it('makes the model optional and forwards unknown fields', () => {
    expect(decodeModeration({ body: { input: 'a', user: 'u-1' } })).toEqual({
      params: { input: 'a', foreign: { protocol: 'openai', fields: { user: 'u-1' } } },
    });
  });

  it('throws only gateway errors on any input', () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        try {
          decodeModeration({ body });
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError);
        }
      }),
    );
  });
});
