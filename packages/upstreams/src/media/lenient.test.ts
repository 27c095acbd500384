import fc from 'fast-check';
import { expect, it } from 'vitest';
import { at, Flag, Id, lenient, list, Numeric, isEmptyValue, Text } from './lenient.ts';

const Schema = lenient({ id: Id, text: Text, count: Numeric, flag: Flag, items: list(lenient({ id: Id })) });

it('treats a field of the wrong type as absent and reads the rest', () => {
  expect(Schema.parse({ id: {}, text: 7, count: '7', flag: 'yes', items: {}, more: [1] })).toEqual({ more: [1] });
  expect(Schema.parse({ id: 'a', text: 'b', count: 7, flag: false, items: [{ id: 'c' }, 3] })).toEqual({
    id: 'a',
    text: 'b',
    count: 7,
    flag: false,
    items: [{ id: 'c' }, undefined],
  });
});

it.each(['', ' ', '.', '..', 'a b', 'é', 'x'.repeat(513), 2 ** 53, 1.5, null])('%o is not an id', (id) => {
  expect(Schema.parse({ id })?.id).toBeUndefined();
});

it.each([
  ['cgt-1', 'cgt-1'],
  ['a/b', 'a/b'],
  [12, '12'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991'],
])('%o is an id', (id, expected) => {
  expect(Schema.parse({ id })?.id).toBe(expected);
});

it('treats empty text as absent', () => {
  expect(Schema.parse({ text: '  ' })?.text).toBeUndefined();
});

it('returns the value at a path unchanged', () => {
  const body = { data: { url: 7, list: [1] } };
  expect([at(body, 'data', 'url'), at(body, 'data', 'list')]).toEqual([7, [1]]);
  for (const path of [['more'], ['data', 'url', 'more'], ['data', 'toString'], ['data', 'list', 'length']]) {
    expect(at(body, ...path)).toBeUndefined();
  }
  expect(at(null, 'data')).toBeUndefined();
});

it.each([[null], [''], [' '], [[]], [{}], [[null, '']]])('%o is recognizably empty', (value) => {
  expect(isEmptyValue(value)).toBe(true);
});

it.each([[undefined], [0], [false], ['a'], [['a']], [[7]], [[{}]], [[{ url: '' }]], [{ url: '' }]])(
  '%o is not',
  (value) => {
    expect(isEmptyValue(value)).toBe(false);
  },
);

it('checks a field of each object in a list', () => {
  expect(isEmptyValue([], 'url')).toBe(true);
  expect(isEmptyValue([{ url: '', id: 'a' }, { url: null }], 'url')).toBe(true);
  for (const item of [{}, { url: 7 }, 7, { url: 'a' }]) expect(isEmptyValue([{ url: '' }, item], 'url')).toBe(false);
});

it('never throws', () => {
  fc.assert(fc.property(fc.anything(), (value) => void Schema.parse(value)));
});
