import { describe, expect, it } from 'vitest';
import { isRecord } from '../../json/is-record.ts';
import { amount, filledRecord, filledText, records } from './wire-values.ts';

describe('wire values', () => {
  it('accepts only objects as objects', () => {
    expect([{}, [], null, 'x', undefined].map(isRecord)).toEqual([true, false, false, false, false]);
  });

  it('treats an empty object or string as absent', () => {
    expect(filledRecord({})).toBeUndefined();
    expect(filledText('')).toBeUndefined();
    expect(filledRecord({ a: 1 })).toEqual({ a: 1 });
  });

  it('accepts one object as a list of one and drops other values', () => {
    expect(records({ a: 1 })).toEqual([{ a: 1 }]);
    expect(records([{ a: 1 }, 'x', null])).toEqual([{ a: 1 }]);
    expect(records('x')).toEqual([]);
  });

  it('accepts digits in a string as a number', () => {
    expect([1.5, '7', '', ' ', 'x', Number.NaN, null, true].map(amount)).toEqual([
      1.5,
      7,
      ...Array.from({ length: 6 }, () => undefined),
    ]);
  });
});
