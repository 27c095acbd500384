import { describe, expect, it } from 'vitest';
import { base64Of, lengthOf, numbersOf } from './vector.ts';

describe('base64Of and numbersOf', () => {
  it('encode base64 as little-endian float32, as OpenAI’s clients decode it', () => {
    expect(base64Of([0.5, -1.25])).toBe('AAAAPwAAoL8=');
    expect(numbersOf('AAAAPwAAoL8=')).toEqual([0.5, -1.25]);
  });

  it('preserve every bit in a round trip', () => {
    const bytes = Buffer.from(Array.from({ length: 400 }, (_, index) => (index * 37) % 127));
    const base64 = bytes.toString('base64');
    expect(base64Of([...numbersOf(base64)])).toBe(base64);
  });

  it('return a vector that already has the requested form as it is', () => {
    const numbers = [0.1, 0.2];
    expect(numbersOf(numbers)).toBe(numbers);
    expect(base64Of('AAAAPw==')).toBe('AAAAPw==');
  });

  it.each([
    [[], 0],
    [[1, 2, 3], 3],
    ['', 0],
    ['AAAAPw==', 1],
    ['AAAAPwAAoL8=', 2],
  ])('%j has %d numbers', (vector, length) => {
    expect(lengthOf(vector)).toBe(length);
    expect(numbersOf(vector)).toHaveLength(length);
  });
});
