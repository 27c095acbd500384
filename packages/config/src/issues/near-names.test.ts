import { describe, expect, it } from 'vitest';
import { likelyName, nearestNames } from './near-names.ts';

describe('nearestNames', () => {
  it('looks at no more than the first 128 letters, whatever is sent', () => {
    expect(nearestNames('a'.repeat(1_000_000), ['b', 'a'.repeat(128)], 1)).toEqual(['a'.repeat(128)]);
  });

  it('puts the nearest first, whatever the case, and keeps as many as asked', () => {
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
  ])('takes %j for %j', (asked, name) => {
    expect(likelyName(asked, ['something', name])).toBe(name);
  });

  it('counts two neighbours that changed places as one slip', () => {
    expect(likelyName('ab', ['ba'])).toBe('ba');
    expect(likelyName('ab', ['cd'])).toBeUndefined();
  });

  it('finds a slip of the finger', () => {
    expect(likelyName('hots', ['port', 'host'])).toBe('host');
  });

  it('keeps silent when nothing is near', () => {
    expect(likelyName('colour', ['port', 'host'])).toBeUndefined();
    expect(likelyName('x', [])).toBeUndefined();
  });
});
