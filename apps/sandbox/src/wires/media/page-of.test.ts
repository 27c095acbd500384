import { describe, expect, it } from 'vitest';
import { WireError } from '../../http/wire-error.ts';
import { pageOf, queryNumber, queryTexts } from './page-of.ts';

const refuse = (): WireError => new WireError(400, 'refused', () => ({}));
const range = { min: 1, max: 500, otherwise: 20 };

describe('queryNumber', () => {
  it('reads numbers in range and applies the default', () => {
    expect(['1', '500', undefined].map((text) => queryNumber(text, range, refuse))).toEqual([1, 500, 20]);
  });

  it.each(['0', '501', '', '-1', '1.5', 'one', ['1', '2'], '9999999999'])('rejects %j', (text) => {
    expect(() => queryNumber(text, range, refuse)).toThrow('refused');
  });
});

it('queryTexts reads one, several or none', () => {
  expect([undefined, 'a', ['a', 'b']].map(queryTexts)).toEqual([[], ['a'], ['a', 'b']]);
});

it('pageOf cuts pages, the last of them shorter', () => {
  expect([1, 2, 3].map((page) => pageOf(['a', 'b', 'c'], page, 2))).toEqual([['a', 'b'], ['c'], []]);
});
