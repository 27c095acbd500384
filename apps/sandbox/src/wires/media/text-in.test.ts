import { expect, it } from 'vitest';
import { textIn } from './text-in.ts';

it('textIn returns a text or an empty string', () => {
  expect(textIn({ prompt: 'kite', n: 'many' }, 'prompt')).toBe('kite');
  for (const body of [undefined, null, 'kite', 5, [], {}, { prompt: 5 }]) expect(textIn(body, 'prompt')).toBe('');
});
