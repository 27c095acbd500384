import { describe, expect, it } from 'vitest';
import { countTokens, chunksOf, tokensOf } from './word-tokens.ts';

describe('tokensOf', () => {
  it.each(['', ' ', 'one', ' two  words ', 'line\nbreak\n', '你好 🌍', '🌍'.repeat(100), `{"a":"${'x'.repeat(99)}"}`])(
    'loses nothing of %j',
    (text) => {
      expect(tokensOf(text).join('')).toBe(text);
      expect(chunksOf(text).join('')).toBe(text);
    },
  );

  it('counts a word as one token, and a very long word as several', () => {
    expect(countTokens('You said: hello there')).toBe(4);
    expect(countTokens('x'.repeat(40))).toBe(3);
  });

  it('splits no code point', () => {
    for (const token of tokensOf('🌍'.repeat(100))) expect(token).toMatch(/^🌍+$/u);
  });
});

describe('chunksOf', () => {
  it('returns a few words at a time', () => {
    expect(chunksOf('a b c d')).toEqual(['a b c', ' d']);
  });
});
