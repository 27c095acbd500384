import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asBinaryText, binaryText, isAscii } from './binary-text.ts';

describe('binaryText', () => {
  it('has one character for each byte, including a view of a larger buffer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const bytes = Buffer.from(`xx${text}xx`).subarray(2, -2);
        expect(binaryText(bytes)).toHaveLength(bytes.length);
        expect(binaryText(bytes)).toBe(asBinaryText(text));
        expect(Buffer.from(asBinaryText(text), 'latin1').toString()).toBe(text);
      }),
    );
  });

  it('distinguishes ASCII from other text', () => {
    expect(isAscii('{"a":"\\u4f60\n\u007f"}')).toBe(true);
    expect(isAscii('é')).toBe(false);
    expect(isAscii('你')).toBe(false);
  });
});
