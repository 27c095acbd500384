import { expect, it } from 'vitest';
import { limitReached } from './limit-reached.ts';

const messageOf = (period: 'day' | 'month' | 'total') =>
  limitReached('budget', 0, {
    requestsPerMinute: undefined,
    tokensPerMinute: undefined,
    tokens: 0,
    budget: { nanos: 1, period },
  }).message;

it('a spent budget mentions a reset only if its period has one', () => {
  for (const period of ['day', 'month'] as const) expect(messageOf(period)).toContain('or wait until it resets.');
  expect(messageOf('total')).toMatch(/ Ask the operator to raise the budget\.$/);
});
