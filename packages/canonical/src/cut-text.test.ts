import { expect, it } from 'vitest';
import { cutText } from './cut-text.ts';

it.each([
  ['a kite', 6, 'a kite'],
  ['a kite', 3, 'a k'],
  ['a \u{1FA81}', 3, 'a '],
  ['a \u{1FA81}', 4, 'a \u{1FA81}'],
])('truncates %j at %i to %j', (text, maxLength, cut) => {
  expect(cutText(text, maxLength)).toBe(cut);
});
