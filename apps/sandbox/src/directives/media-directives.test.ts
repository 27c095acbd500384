import { describe, expect, it } from 'vitest';
import { hasDirective, lateSeconds, slowSeconds } from './media-directives.ts';

describe('hasDirective', () => {
  it('finds a directive at any position and in any case', () => {
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
