import { expect, it } from 'vitest';
import { geminiVersion } from './gemini-version.ts';

it.each([
  ['gemini-2.5-flash', 2.5],
  ['models/gemini-3.1-pro-preview', 3.1],
  ['google/gemini-3-pro', 3],
  ['gemini-flash-lite-latest', 3],
  ['gemma-3-27b-it', undefined],
  ['claude-opus-5-5', undefined],
])('%s is of generation %s', (model, version) => {
  expect(geminiVersion(model)).toBe(version);
});
