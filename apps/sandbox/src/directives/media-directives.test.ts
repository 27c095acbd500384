import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALL_DIRECTIVES } from './all-directives.ts';
import { hasDirective, lateSeconds, slowSeconds } from './media-directives.ts';

describe('the directives of all wires', () => {
  it('match the tables of docs/extend/sandbox.md, row by row', () => {
    const page = readFileSync(new URL('../../../../docs/extend/sandbox.md', import.meta.url), 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('| `['));
    const expected = ALL_DIRECTIVES.map(
      ({ word, capability, call, times, effect, ending }) =>
        `| \`${word}\` | ${capability} | ${call} | ${times} | ${effect} | ${ending} |`,
    );
    expect(rows).toEqual(expected);
  });
});

describe('hasDirective', () => {
  it('finds a directive anywhere and in any case', () => {
    expect(hasDirective('a kite [Lost-Reply]!', 'lostReply')).toBe(true);
    expect(hasDirective('[fail][cut]', 'cut')).toBe(true);
  });

  it('does not match the bare text without brackets', () => {
    expect(hasDirective('never fail, 429 kites', 'fail')).toBe(false);
    expect(hasDirective('never fail, 429 kites', 'throttled')).toBe(false);
  });
});

describe('slowSeconds', () => {
  it('reads the seconds', () => {
    expect(slowSeconds('a [slow:30] kite')).toBe(30);
    expect(slowSeconds('[SLOW:0.25]')).toBe(0.25);
  });

  it('ignores a directive without a number', () => {
    expect(slowSeconds('[slow]')).toBeUndefined();
    expect(slowSeconds('[slow:]')).toBeUndefined();
    expect(slowSeconds('[slow:-1]')).toBeUndefined();
  });
});

describe('lateSeconds', () => {
  it('reads the number and defaults to 0', () => {
    expect(lateSeconds('a [late-reply:2.5] kite')).toBe(2.5);
    expect(lateSeconds('a [slow:2.5] kite')).toBe(0);
  });
});
