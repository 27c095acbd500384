import { expect, it } from 'vitest';
import { amount } from '../../json/amount.ts';
import { filledRecord, records } from './proto-json.ts';

it('treats an empty object as absent', () => {
  expect(filledRecord({})).toBeUndefined();
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
