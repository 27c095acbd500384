import { describe, expect, it } from 'vitest';
import { vendorWords } from './vendor-words.ts';

describe('vendorWords', () => {
  it('leaves a short line as it is', () => {
    expect(vendorWords('Be précis, 你好.')).toBe('Be précis, 你好.');
  });

  it('makes one line of many, whatever ends them', () => {
    expect(vendorWords('  a\r\n\tb\u0085c\u2028d\u0000e \n')).toBe('a b c d e');
  });

  it('is never longer than 500 characters and shows that it was cut', () => {
    for (const text of ['word '.repeat(1_000), '你好'.repeat(1_000), '👋🏽'.repeat(1_000)]) {
      const words = vendorWords(text);
      expect(words.length).toBeLessThanOrEqual(500);
      expect(words.length).toBeGreaterThan(480);
      expect(words.endsWith('…')).toBe(true);
      expect(words.isWellFormed()).toBe(true);
    }
    expect(vendorWords('x'.repeat(500))).toBe('x'.repeat(500));
  });

  it('leaves no beginning of a key where it cuts, since whole ones alone are found later on', () => {
    const key = 'sk-proj-abc_DEF/123+45==';
    const words = vendorWords(`${'a '.repeat(240)}${key.repeat(3)} and more`);
    expect(words).not.toContain('sk-');
    expect(vendorWords(key.repeat(40))).toBe('');
  });
});
