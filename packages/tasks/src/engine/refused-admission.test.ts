import { expect, it } from 'vitest';
import { overBudget } from './refused-admission.ts';

const messageFor = (period: 'day' | 'month' | 'total', request: { kind: 'image' | 'video'; n?: number }) =>
  overBudget(
    {
      allowance: {
        openTasks: undefined,
        concurrentTasks: undefined,
        budget: { nanos: 1e9, period },
      },
      request,
      seconds: '8',
    },
    0.8e9,
    { remaining: 0.5e9, reserved: 0.2e9 },
  ).message;

it('names the cost, the budget, and the remedy', () => {
  expect(messageFor('month', { kind: 'video' })).toBe(
    'The request may cost up to $0.80 (8 seconds of video), but only $0.50 of the $1.00 monthly budget of this API key' +
      ' is left ($0.30 spent, $0.20 reserved for unfinished requests). Request a shorter video, ask the operator to' +
      ' raise the budget, or wait until it resets.',
  );
  expect(messageFor('total', { kind: 'image', n: 3 })).toMatch(
    /\(3 images\), .* Request fewer or cheaper images, or ask the operator to raise the budget\.$/,
  );
});
