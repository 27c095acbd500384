import { expect, it } from 'vitest';
import { limitReached } from './limit-reached.ts';

type Reached = Parameters<typeof limitReached>[2];

const messageOf = (more: Partial<Reached>, period: 'day' | 'month' | 'total' = 'day') =>
  limitReached('budget', 0, {
    requestsPerMinute: undefined,
    tokensPerMinute: undefined,
    tokens: 0,
    nanos: 41_000_000,
    budget: { nanos: 20_000_000, period },
    balance: { remaining: 20_000_000, reserved: 0 },
    ...more,
  }).message;

const usage = { inputTokens: 12, outputTokens: 4_096 };

it('a refusal for the budget names the amounts, the reservation, and the remedy', () => {
  expect(messageOf({ max: { usage, isBounded: false }, protocol: 'responses' })).toBe(
    'The request may cost up to $0.041 (12 input tokens, and 4,096 output tokens because `max_output_tokens` is not set),' +
      ' but only $0.02 of the $0.02 daily budget of this API key is left ($0.00 spent, $0.00 reserved for unfinished' +
      ' requests). Set `max_output_tokens`, ask the operator to raise the budget, or wait until it resets.',
  );
});

it.each([
  [
    { max: { usage, isBounded: true }, protocol: 'messages' },
    /\(12 input tokens, 4,096 output tokens\).* Lower `max_tokens`/,
  ],
  [
    { max: { usage: { inputTokens: 12, outputTokens: 0 }, isBounded: true } },
    /\(12 input tokens\).* Shorten the input/,
  ],
  [{}, /up to \$0\.041, but .* Use a cheaper model/],
  [
    { balance: { remaining: -5_000_000, reserved: 1 } },
    /^Nothing is left of .*\$0\.024999999 spent, \$0\.000000001 reserved/,
  ],
])('it fits the request (%#)', (more, expected) => {
  expect(messageOf(more)).toMatch(expected);
});

it('it mentions a reset only if the period has one', () => {
  for (const period of ['day', 'month'] as const) expect(messageOf({}, period)).toContain('or wait until it resets.');
  expect(messageOf({}, 'total')).toMatch(/, or ask the operator to raise the budget\.$/);
});
