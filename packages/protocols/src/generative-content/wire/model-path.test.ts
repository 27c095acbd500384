import { describe, expect, it } from 'vitest';
import { splitModelPath } from './model-path.ts';

describe('splitModelPath', () => {
  it.each([
    ['gemini-3-pro:generateContent', 'gemini-3-pro'],
    ['models/gemini-3-pro:generateContent', 'gemini-3-pro'],
    ['models%2Fgemini-3-pro%3AgenerateContent', 'gemini-3-pro'],
    ['meta-llama/llama-4:free:generateContent', 'meta-llama/llama-4:free'],
    ['ft%3Agpt-5%3Aorg:generateContent', 'ft:gpt-5:org'],
    ['100%:generateContent', '100%'],
  ])('finds the model of %s: %s', (wildcard, model) => {
    expect(splitModelPath(wildcard)).toEqual({ model, verb: 'generateContent' });
  });

  it.each(['', 'gemini', ':generateContent', 'models/:generateContent', 'gemini:'])(
    'finds no model in %s',
    (wildcard) => {
      expect(splitModelPath(wildcard)).toBeUndefined();
    },
  );
});
