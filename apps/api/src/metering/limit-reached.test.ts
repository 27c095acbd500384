import { expect, it } from 'vitest';
import { limitReached } from './limit-reached.ts';

const told = (period: 'day' | 'month' | 'total') =>
  limitReached('budget', 0, {
    requestsPerMinute: undefined,
    tokensPerMinute: undefined,
    tokens: 0,
    budget: { nanos: 1, period },
  }).message;

it('a spent budget is told to begin anew where it does, and only there', () => {
  for (const period of ['day', 'month'] as const) expect(told(period)).toContain('or wait until it resets.');
  expect(told('total')).toMatch(/ Have the budget raised\.$/);
});
