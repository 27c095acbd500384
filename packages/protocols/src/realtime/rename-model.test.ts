import { expect, it } from 'vitest';
import { renameModel } from './rename-model.ts';

it.each([
  ['The model `gpt-4.1` is gone: gpt-4.1.', 'The model `client-model` is gone: client-model.'],
  [
    'gpt-4.1-mini, my-gpt-4.1, ft:gpt-4.1, gpt-4.1.2, gpt-4x1',
    'gpt-4.1-mini, my-gpt-4.1, ft:gpt-4.1, gpt-4.1.2, gpt-4x1',
  ],
  ['', ''],
])('renames the model in %j if it is a separate word', (text, renamed) => {
  expect(renameModel(text, 'gpt-4.1', 'client-model')).toBe(renamed);
});

it('treats names as literals, not as patterns', () => {
  expect(renameModel('a+b/c (x) aab', 'a+b/c', '$&')).toBe('$& (x) aab');
  expect(renameModel('as it was', '', 'client-model')).toBe('as it was');
});
