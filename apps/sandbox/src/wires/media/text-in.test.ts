import { expect, it } from 'vitest';
import { textIn } from './text-in.ts';

it('textIn finds a text or nothing', () => {
  expect(textIn({ prompt: 'kite', n: 'many' }, 'prompt')).toBe('kite');
  for (const body of [undefined, null, 'kite', 5, [], {}, { prompt: 5 }]) expect(textIn(body, 'prompt')).toBe('');
});
