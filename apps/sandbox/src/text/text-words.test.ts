import { describe, expect, it } from 'vitest';
import { hasTextWord, withoutWords, wordNumber } from './text-words.ts';

describe('text words', () => {
  it('are found in any case, and not without brackets', () => {
    expect(hasTextWord('please [THINK]', 'think')).toBe(true);
    expect(hasTextWord('please think', 'think')).toBe(false);
  });

  it('carry numbers', () => {
    expect(wordNumber('[slow:0.5] [drip:20]', 'slow')).toBe(0.5);
    expect(wordNumber('[slow:0.5] [drip:20]', 'drip')).toBe(20);
    expect(wordNumber('[long:]', 'long')).toBeUndefined();
  });

  it('leave no trace in an echo', () => {
    expect(withoutWords('say [think] hello [tool:a {"x":[1]}] there [drip:1]')).toBe('say hello there');
    expect(withoutWords('你好  🌍')).toBe('你好  🌍');
    expect(withoutWords('[empty]')).toBe('');
  });
});
