import { describe, expect, it } from 'vitest';
import { fillPattern, matchPattern } from './match-pattern.ts';

describe('matchPattern', () => {
  it.each([
    ['gpt-4', 'gpt-4', []],
    ['gpt-*', 'gpt-4', ['4']],
    ['gpt-*', 'gpt-', ['']],
    ['*', 'anything', ['anything']],
    ['*-mini', 'gpt-4-mini', ['gpt-4']],
    ['a*b*c', 'a1b2b3c', ['1', '2b3']],
    ['a.c*', 'a.cd', ['d']],
    ['**', 'x', ['', 'x']],
  ])('%s matches %s', (pattern, text, stars) => {
    expect(matchPattern(pattern, text)).toEqual(stars);
  });

  it.each([
    ['gpt-4', 'gpt-4o'],
    ['gpt-*', 'xgpt-4'],
    ['ab*ba', 'aba'],
    ['a*b*c', 'acb'],
    ['a*b*b', 'ab'],
    ['a.c*', 'abc'],
  ])('%s does not match %s', (pattern, text) => {
    expect(matchPattern(pattern, text)).toBeUndefined();
  });

  it('stays fast on adversarial texts', () => {
    expect(matchPattern('*a*a*a*a*a*a*b', 'a'.repeat(1_000_000))).toBeUndefined();
  });
});

describe('fillPattern', () => {
  it('replaces the stars by texts, in order, never read as patterns', () => {
    expect(fillPattern('v-*-*', ['$&', '*'])).toBe('v-$&-*');
  });

  it('keeps a literal name', () => {
    expect(fillPattern('literal', ['x'])).toBe('literal');
  });
});
