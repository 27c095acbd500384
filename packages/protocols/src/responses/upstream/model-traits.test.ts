import { expect, it } from 'vitest';
import { modelTraits } from './model-traits.ts';

it.each([
  ['o3-mini', true, false, false],
  ['gpt-5', true, false, false],
  ['openai/gpt-5.6-sol', true, false, true],
  ['gpt-6-astra', true, false, true],
  ['gpt-5.3-chat-latest', false, false, false],
  ['gpt-4.1-mini', false, true, false],
  ['chatgpt-4o-latest', false, true, false],
  ['qwen3-32b', false, false, false],
])('%s: reasons %s, never reasons %s, supports cache breakpoints %s', (model, reasons, neverReasons, cacheMarks) => {
  expect(modelTraits(model)).toEqual({ reasons, neverReasons, cacheMarks });
});
