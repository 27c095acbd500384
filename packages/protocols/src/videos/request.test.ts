import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onlyGatewayErrors, refusal } from '../../test/refusals.ts';
import { decodeFollowing, decodeListing, decodeRemix } from './request.ts';

describe('decodeRemix', () => {
  it('reads the prompt and ignores other fields', () => {
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
  ])('rejects %.30j', (fields, param) => {
    expect(() => decodeRemix(fields)).toThrow(refusal(param));
  });
});

describe('decodeListing', () => {
  it('has defaults', () => {
    expect(decodeListing({})).toEqual({ limit: 20, order: 'desc' });
  });

  it('reads the parameters of SDKs', () => {
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
  ])('rejects %s=%j', (field, value) => {
    expect(() => decodeListing({ [field]: value })).toThrow(refusal(field));
  });

  it('throws only gateway errors on any query', () => {
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
  ])('continues %j with Last-Event-ID %j after %d', (query, lastEventId, after) => {
    expect(decodeFollowing(query, lastEventId)).toBe(after);
  });

  it.each(['', '-1', '1.5', 'x', '1e3', ' 1', '9'.repeat(16), ['1', '2']])('rejects the query %j', (after) => {
    expect(() => decodeFollowing({ after }, undefined)).toThrow(refusal('after'));
  });
});
