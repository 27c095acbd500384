import { describe, expect, it } from 'vitest';
import { editDistance, likelyName, nearestNames } from './near-names.ts';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['kitten', 'sitting', 3],
    ['vidoes', 'videos', 1],
    ['same', 'same', 0],
  ])('from %j to %j is %i', (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance);
  });

  it('looks at no more than the first 128 letters, whatever is sent', () => {
    expect(editDistance('a'.repeat(1_000_000), 'a'.repeat(128))).toBe(0);
  });
});

describe('nearestNames', () => {
  it('puts the nearest first, whatever the case, and keeps as many as asked', () => {
    expect(nearestNames('GPT-4', ['claude', 'gpt-4o', 'gpt-4', 'gemini'], 2)).toEqual(['gpt-4', 'gpt-4o']);
  });
});

describe('likelyName', () => {
  it('finds a slip of the finger', () => {
    expect(likelyName('hots', ['port', 'host'])).toBe('host');
  });

  it('keeps silent when nothing is near', () => {
    expect(likelyName('colour', ['port', 'host'])).toBeUndefined();
    expect(likelyName('x', [])).toBeUndefined();
  });
});
