import { describe, expect, it } from 'vitest';
import { wrapText } from './wrap-text.ts';

describe('wrapText', () => {
  it('breaks between words and indents further lines', () => {
    expect(wrapText('one two three four', 12, 2)).toBe('one two\n  three four');
  });

  it('puts a long word on a line of its own', () => {
    expect(wrapText('a longer-than-the-line b', 8, 1)).toBe('a\n longer-than-the-line\n b');
  });
});
