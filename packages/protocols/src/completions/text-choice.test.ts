import { describe, expect, it } from 'vitest';
import { chatChoices, chatText, sumUsage, textFinish } from './text-choice.ts';

describe('choices of text', () => {
  it('are found in an answer by their own index, else by their place', () => {
    expect(chatChoices({ choices: [{ index: 3 }, {}, 'x'] }).map(({ at }) => at)).toEqual([3, 1]);
    expect(chatChoices({ error: {} })).toEqual([]);
  });

  it('hold what was said, also when that is a refusal', () => {
    expect(chatText({ content: 'a' })).toBe('a');
    expect(chatText({ content: null, refusal: 'no' })).toBe('no');
    expect(chatText(undefined)).toBe('');
  });

  it('end in one of three ways, or have not ended', () => {
    expect(['stop', 'function_call', 'length', 'content_filter', null].map(textFinish)).toEqual([
      'stop',
      'stop',
      'length',
      'content_filter',
      null,
    ]);
  });

  it('cost what all of them cost together', () => {
    expect(sumUsage([{ a: 1, d: { x: 1 } }, undefined, { a: 2, d: { x: 2, y: 5 } }])).toEqual({
      a: 3,
      d: { x: 3, y: 5 },
    });
    expect(sumUsage([undefined])).toBeUndefined();
  });
});
