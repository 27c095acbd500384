import { EFFORTS } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effortOf, thinkingBudget } from './effort.ts';

describe('thinkingBudget', () => {
  it('reserves tokens for the response, and is zero or at least the vendors’ minimum', () => {
    fc.assert(
      fc.property(fc.constantFrom(...EFFORTS), fc.integer({ min: 1, max: 200_000 }), (effort, max) => {
        const budget = thinkingBudget({ effort }, max) ?? -1;
        expect(budget === 0 || (budget >= 1_024 && budget <= max * 0.8)).toBe(true);
      }),
    );
  });

  it.each([
    [undefined, undefined],
    [{}, undefined],
    [{ enabled: false, effort: 'high' as const }, 0],
    [{ budgetTokens: 5_000, effort: 'high' as const }, 5_000],
    [{ effort: 'none' as const }, 0],
  ])('for %j is %j', (reasoning, expected) => {
    expect(thinkingBudget(reasoning, 100_000)).toBe(expected);
  });
});

describe('effortOf', () => {
  it.each([
    [undefined, undefined],
    [{}, undefined],
    [{ enabled: false }, 'none'],
    [{ effort: 'max' as const, budgetTokens: 1 }, 'max'],
    [{ budgetTokens: 0 }, 'none'],
    [{ budgetTokens: 2_000 }, 'low'],
    [{ budgetTokens: 10_000 }, 'medium'],
    [{ budgetTokens: 20_000 }, 'high'],
    [{ budgetTokens: 40_000 }, 'xhigh'],
  ])('for %j is %j', (reasoning, expected) => {
    expect(effortOf(reasoning)).toBe(expected);
  });
});
