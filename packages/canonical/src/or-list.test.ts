import { expect, it } from 'vitest';
import { orList } from './or-list.ts';

it('joins values with commas and "or"', () => {
  expect(orList(['a'])).toBe('a');
  expect(orList(['a', 'b'])).toBe('a or b');
  expect(orList(['a', 'b', 'c'])).toBe('a, b, or c');
});
