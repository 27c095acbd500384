import { expect, it } from 'vitest';
import { modelPath } from './model-path.ts';

it.each([
  ['gemini-3', '/models/gemini-3'],
  ['models/gemini-3', '/models/gemini-3'],
  ['org/a b?c#d:e', '/models/org/a%20b%3Fc%23d%3Ae'],
])('the model %j has the path %s', (model, path) => {
  expect(modelPath(model)).toBe(path);
});

it.each(['', '..', 'a/../b', './a', 'a//b'])('refuses the model name %j', (model) => {
  expect(() => modelPath(model)).toThrow('Model does not exist.');
});
