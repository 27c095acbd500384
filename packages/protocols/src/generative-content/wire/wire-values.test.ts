import { describe, expect, it } from 'vitest';
import { isRecord } from '../../json/is-record.ts';
import { amount, filledRecord, filledText, records } from './wire-values.ts';

describe('wire values', () => {
  it('takes objects alone for objects', () => {
    expect([{}, [], null, 'x', undefined].map(isRecord)).toEqual([true, false, false, false, false]);
  });

  it('takes an empty object or text for nothing', () => {
    expect(filledRecord({})).toBeUndefined();
    expect(filledText('')).toBeUndefined();
    expect(filledRecord({ a: 1 })).toEqual({ a: 1 });
  });

  it('takes one object for a list of one and drops what is no object', () => {
    expect(records({ a: 1 })).toEqual([{ a: 1 }]);
    expect(records([{ a: 1 }, 'x', null])).toEqual([{ a: 1 }]);
    expect(records('x')).toEqual([]);
  });

  it('takes digits in a text for a number, and nothing else', () => {
    expect([1.5, '7', '', ' ', 'x', Number.NaN, null, true].map(amount)).toEqual([
      1.5,
      7,
      ...Array.from({ length: 6 }, () => undefined),
    ]);
  });
});
