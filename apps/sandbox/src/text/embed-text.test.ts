import { describe, expect, it } from 'vitest';
import { base64OfFloats, embedText, unitVector } from './embed-text.ts';

const embed = (text: string | number[], dimensions = 256) => unitVector(embedText(text, dimensions));
const cosine = (one: number[], other: number[]) => one.reduce((sum, number, at) => sum + number * (other[at] ?? 0), 0);
const near = (one: string, other: string, dimensions?: number) =>
  cosine(embed(one, dimensions), embed(other, dimensions));

describe('embedText', () => {
  it('is deterministic, case-insensitive, and ignores directives', () => {
    expect(embed('A paper boat')).toEqual(embed('a PAPER boat'));
    expect(embed('a paper boat [429] [slow:1]')).toEqual(embed('a paper boat'));
    expect(embed('a paper boat')).not.toEqual(embed('a paper kite'));
  });

  it.each([256, 64])('places texts with shared words nearer than others, in %i dimensions', (dimensions) => {
    const boats = near('a paper boat sails down the river', 'paper boats sailing on a river', dimensions);
    const taxes = near('a paper boat sails down the river', 'taxes are due in April of each year', dimensions);
    expect(boats).toBeGreaterThan(0.6);
    expect(taxes).toBeLessThan(0.3);
    expect(near('纸船顺流而下', '一只纸船顺流漂', dimensions)).toBeGreaterThan(taxes + 0.2);
  });

  it('embeds tokens by their numbers', () => {
    expect(embed([1, 2, 3])).toEqual(embed([1, 2, 3]));
    expect(cosine(embed([1, 2, 3, 4]), embed([1, 2, 3, 5]))).toBeGreaterThan(0.5);
    expect(Math.abs(cosine(embed([1, 2]), embed([7, 8])))).toBeLessThan(0.3);
  });

  it('returns a prefix of the longer vector for fewer dimensions', () => {
    expect(embedText('kite', 1536).slice(0, 8)).toEqual(embedText('kite', 8));
  });

  it.each(['', ' ', '!', '🌍', '[429]', 'a', '纸', 'x'.repeat(10_000)])('has a unit vector for %j', (text) => {
    for (const dimensions of [1, 2, 256]) expect(Math.hypot(...embed(text, dimensions))).toBeCloseTo(1, 5);
  });
});

describe('base64OfFloats', () => {
  it('is little-endian', () => {
    expect(base64OfFloats([0.5, -1.25])).toBe('AAAAPwAAoL8=');
  });
});
