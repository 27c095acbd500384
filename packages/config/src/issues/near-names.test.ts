import { describe, expect, it } from 'vitest';
import { likelyName, nearestNames } from './near-names.ts';

describe('nearestNames', () => {
  it('reads no more than the first 128 characters', () => {
    expect(nearestNames('a'.repeat(1_000_000), ['b', 'a'.repeat(128)], 1)).toEqual(['a'.repeat(128)]);
  });

  it('orders names by distance, ignoring case, and returns as many as requested', () => {
    expect(nearestNames('GPT-4', ['claude', 'gpt-4o', 'gpt-4', 'gemini'], 2)).toEqual(['gpt-4', 'gpt-4o']);
  });
});

describe('likelyName', () => {
  it.each([
    ['vidoes', 'videos'],
    ['kitten', 'mitten'],
    ['hostt', 'host'],
    ['hst', 'host'],
    ['same', 'same'],
    ['', 'a'],
  ])('suggests %j for %j', (asked, name) => {
    expect(likelyName(asked, ['something', name])).toBe(name);
  });

  it('counts two swapped letters as one error', () => {
    expect(likelyName('ab', ['ba'])).toBe('ba');
    expect(likelyName('ab', ['cd'])).toBeUndefined();
  });

  it('suggests a name with a typo', () => {
    expect(likelyName('hots', ['port', 'host'])).toBe('host');
  });

  it('suggests nothing if no name is near', () => {
    expect(likelyName('colour', ['port', 'host'])).toBeUndefined();
    expect(likelyName('x', [])).toBeUndefined();
  });
});
