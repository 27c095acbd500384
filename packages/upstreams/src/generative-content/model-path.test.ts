import { expect, it } from 'vitest';
import { modelPath, versionedPath } from './model-path.ts';

it.each([
  ['gemini-3', '/models/gemini-3'],
  ['models/gemini-3', '/models/gemini-3'],
  ['org/a b?c#d:e', '/models/org/a%20b%3Fc%23d%3Ae'],
])('the model %j lies at %s', (model, path) => {
  expect(modelPath(model)).toBe(path);
});

it.each(['', '..', 'a/../b', './a', 'a//b'])('there is no model %j', (model) => {
  expect(() => modelPath(model)).toThrow('There is no model with this name.');
});

it.each([
  ['', '/v1beta'],
  ['/v1', '/v1'],
  ['/proxy/v1alpha', '/proxy/v1alpha'],
  ['/proxy', '/proxy/v1beta'],
])('the base %j has its version: %s', (path, versioned) => {
  expect(versionedPath(path)).toBe(versioned);
});
