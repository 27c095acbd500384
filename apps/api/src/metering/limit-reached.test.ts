import { expect, it } from 'vitest';
import { limitReached } from './limit-reached.ts';

const told = (period: 'day' | 'month' | 'total') =>
  limitReached('budget', 0, {
    requestsPerMinute: undefined,
    tokensPerMinute: undefined,
    tokens: 0,
    budget: { nanos: 1, period },
  }).message;

it('a spent budget mentions a reset only if its period has one', () => {
  for (const period of ['day', 'month'] as const) expect(told(period)).toContain('or wait until it resets.');
  expect(told('total')).toMatch(/ Ask your administrator to raise the budget\.$/);
});
