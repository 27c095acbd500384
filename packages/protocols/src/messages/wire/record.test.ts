import { describe, expect, it } from 'vitest';
import { isRecord } from '../../json/is-record.ts';
import { numberOf, recordsOf, textOf } from './record.ts';

describe('the readers', () => {
  it('take what they are named for, and nothing else', () => {
    expect([{}, [], null, 'a', 1].map((value) => isRecord(value))).toEqual([true, false, false, false, false]);
    expect(['a', '', 1, null].map((value) => textOf(value))).toEqual(['a', '', undefined, undefined]);
    expect([1, Infinity, NaN, '1'].map((value) => numberOf(value))).toEqual([1, undefined, undefined, undefined]);
    expect([[{}, 1, null], 'a', undefined].map((value) => recordsOf(value))).toEqual([[{}], [], []]);
  });
});
