import { describe, expect, it } from 'vitest';
import { chatChoices, chatText, sumUsage, textFinish } from './text-choice.ts';

describe('text choices', () => {
  it('are matched by index, or else by position', () => {
    expect(chatChoices({ choices: [{ index: 3 }, {}, 'x'] }).map(({ index }) => index)).toEqual([3, 1]);
    expect(chatChoices({ error: {} })).toEqual([]);
  });

  it('contain the text of a response, including a refusal', () => {
    expect(chatText({ content: 'a' })).toBe('a');
    expect(chatText({ content: null, refusal: 'no' })).toBe('no');
    expect(chatText(undefined)).toBe('');
  });

  it('have one of three finish reasons, or none yet', () => {
    expect(['stop', 'function_call', 'length', 'content_filter', null].map(textFinish)).toEqual([
      'stop',
      'stop',
      'length',
      'content_filter',
      null,
    ]);
  });

  it('sum the usage of all choices', () => {
    expect(sumUsage([{ a: 1, d: { x: 1 } }, undefined, { a: 2, d: { x: 2, y: 5 } }])).toEqual({
      a: 3,
      d: { x: 3, y: 5 },
    });
    expect(sumUsage([undefined])).toBeUndefined();
  });
});
