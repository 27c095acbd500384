import { expect, it } from 'vitest';
import { callArguments } from './call-arguments.ts';

it.each([
  ['{"a":1}', { a: 1 }],
  ['', {}],
  ['[1]', {}],
  ['{bad', {}],
])('reads %j as an object', (input, expected) => {
  expect(callArguments({ name: 'x', kind: 'function', input })).toEqual(expected);
});
