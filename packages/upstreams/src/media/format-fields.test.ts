import { expect, it } from 'vitest';
import { formatFields } from './format-fields.ts';

it('encodes values as the published SDKs do', () => {
  expect(formatFields('mode', 'pro')).toEqual([['mode', 'pro']]);
  expect(formatFields('n', 2)).toEqual([['n', '2']]);
  expect(formatFields('loop', false)).toEqual([['loop', 'false']]);
  expect(formatFields('camera', { move: { pan: 1 } })).toEqual([['camera[move][pan]', '1']]);
  expect(formatFields('tags', ['a', { b: 'c' }])).toEqual([
    ['tags[]', 'a'],
    ['tags[][b]', 'c'],
  ]);
});

it('omits values without an encoding and beyond the depth limit', () => {
  expect([null, undefined, Symbol('x')].flatMap((value) => formatFields('a', value))).toEqual([]);
  let deep: unknown = 'x';
  for (let level = 0; level < 50; level += 1) deep = { deep };
  expect(formatFields('a', deep)).toEqual([]);
});
