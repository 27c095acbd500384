import { expect, it } from 'vitest';
import { spellFields } from './spell-fields.ts';

it('spells values as the published SDKs do', () => {
  expect(spellFields('mode', 'pro')).toEqual([['mode', 'pro']]);
  expect(spellFields('n', 2)).toEqual([['n', '2']]);
  expect(spellFields('loop', false)).toEqual([['loop', 'false']]);
  expect(spellFields('camera', { move: { pan: 1 } })).toEqual([['camera[move][pan]', '1']]);
  expect(spellFields('tags', ['a', { b: 'c' }])).toEqual([
    ['tags[]', 'a'],
    ['tags[][b]', 'c'],
  ]);
});

it('leaves out what has no spelling, and what is deeper than anybody needs', () => {
  expect([null, undefined, Symbol('x')].flatMap((value) => spellFields('a', value))).toEqual([]);
  let deep: unknown = 'x';
  for (let level = 0; level < 50; level += 1) deep = { deep };
  expect(spellFields('a', deep)).toEqual([]);
});
