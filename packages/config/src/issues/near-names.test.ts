import { describe, expect, it } from 'vitest';
import { nearestNames, suggestName } from './near-names.ts';

describe('nearestNames', () => {
  it('reads no more than the first 128 characters', () => {
    expect(nearestNames('a'.repeat(1_000_000), ['b', 'a'.repeat(128)], 1)).toEqual(['a'.repeat(128)]);
  });

  it('orders names by distance, ignoring case, and returns as many as requested', () => {
    expect(nearestNames('GPT-4', ['claude', 'gpt-4o', 'gpt-4', 'gemini'], 2)).toEqual(['gpt-4', 'gpt-4o']);
    expect(nearestNames('nope', ['claude', 'gpt-4o'], 2)).toEqual([]);
  });
});

describe('suggestName', () => {
  it.each([
    ['vidoes', 'videos'],
    ['kitten', 'mitten'],
    ['hostt', 'host'],
    ['hst', 'host'],
    ['same', 'same'],
    ['', 'a'],
  ])('for %j suggests %j', (unknown, name) => {
    expect(suggestName(unknown, ['something', name], 'remove it')).toBe(`did you mean \`${name}\`?`);
  });

  it('counts two swapped letters as one error', () => {
    expect(suggestName('ab', ['ba'], 'remove it')).toBe('did you mean `ba`?');
    expect(suggestName('ab', ['cd'], 'remove it')).toBe('write one of: cd');
  });

  it('suggests the nearest of several names', () => {
    expect(suggestName('hots', ['port', 'host'], 'remove it')).toBe('did you mean `host`?');
  });

  it('lists the known names if none is near', () => {
    expect(suggestName('colour', ['port', 'host'], 'remove it')).toBe('write one of: port, host');
  });

  it('returns the other remedy if no name is known', () => {
    expect(suggestName('x', [], 'remove it')).toBe('remove it');
  });
});
