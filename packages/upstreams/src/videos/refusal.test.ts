import { expect, it } from 'vitest';
import { errorTopic, failureCode, reasonFor } from './refusal.ts';

it.each([
  [
    'moderation',
    ['moderation_blocked', 'content_policy_violation', 'DataInspectionFailed', 'InputTextSensitiveContentDetected'],
  ],
  ['balance', ['insufficient_quota', 'insufficient_user_quota', 'insufficient_balance', 'billing_hard_limit_reached']],
  ['invalid', ['invalid_size', 'invalid_request_error']],
  ['other', ['rate_limit_exceeded', 'server_error', 'insufficient_permissions', 'task_failed']],
])('%s is told by code', (topic, codes) => {
  expect(codes.map((code) => errorTopic({ code }))).toEqual(codes.map(() => topic));
});

it('prose decides nothing', () => {
  expect(errorTopic({ message: 'moderation_blocked insufficient_quota' })).toBe('other');
});

it('the type counts where the code says nothing', () => {
  expect(failureCode({ code: 'x', type: 'content_policy' })).toBe('content_policy');
});

it('a reason that is empty once cleaned is replaced', () => {
  expect(reasonFor({ message: ' \u0000 ' }, 'otherwise', [])).toBe('otherwise');
  expect(reasonFor(undefined, 'otherwise', [])).toBe('otherwise');
});
