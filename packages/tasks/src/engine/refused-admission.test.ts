import { expect, it } from 'vitest';
import { refusedAdmission } from './refused-admission.ts';

const messageFor = (period: 'day' | 'month' | 'total') =>
  refusedAdmission('over_budget', {
    allowance: {
      openTasks: undefined,
      concurrentTasks: undefined,
      budget: { nanos: 1, period },
      price: { maxNanos: 2, taskNanos: 2, unitNanos: 0 },
    },
  }).message;

it('mentions a budget reset only if the period has one', () => {
  for (const period of ['day', 'month'] as const) expect(messageFor(period)).toContain('or wait until it resets.');
  expect(messageFor('total')).toMatch(/ Ask the operator to raise the budget\.$/);
});
