import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onlyGatewayErrors, refusal } from '../../test/refusals.ts';
import { decodeFollowing, decodeListing, decodeRemix } from './request.ts';

describe('decodeRemix', () => {
  it('reads the prompt and leaves the rest', () => {
    expect(decodeRemix({ prompt: 'at night\ud800', seconds: '8' })).toEqual({ prompt: 'at night\ufffd' });
  });

  it.each([
    [undefined, 'prompt'],
    [null, 'prompt'],
    [{}, 'prompt'],
    [{ prompt: '' }, 'prompt'],
    [{ prompt: ' \t' }, 'prompt'],
    [{ prompt: null }, 'prompt'],
    [{ prompt: 5 }, 'prompt'],
    [{ prompt: ['a'] }, 'prompt'],
    [{ prompt: 'x'.repeat(32_769) }, 'prompt'],
    ['prompt', undefined],
    [['prompt'], undefined],
    [7, undefined],
  ])('refuses %.30j', (fields, param) => {
    expect(() => decodeRemix(fields)).toThrow(refusal(param));
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

describe('decodeFollowing', () => {
  it.each([
    [{}, undefined, 0],
    [{ after: '7' }, undefined, 7],
    [{ after: '7' }, '', 7],
    [{ after: '7' }, '12', 12],
    [{}, '000', 0],
    ...['-1', '1.5', 'x', '1e3', ' 1', '9'.repeat(20)].flatMap((none): [object, string, number][] => [
      [{}, none, 0],
      [{ after: '7' }, none, 7],
    ]),
  ])('%j and Last-Event-ID %j go on after %d', (query, lastEventId, after) => {
    expect(decodeFollowing(query, lastEventId)).toBe(after);
  });

  it.each(['', '-1', '1.5', 'x', '1e3', ' 1', '9'.repeat(16), ['1', '2']])('the query %j is refused', (after) => {
    expect(() => decodeFollowing({ after }, undefined)).toThrow(refusal('after'));
  });
});
